import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan([
    makeReportedFinding({ rule: 'no-eval', path: 'src/a.js', line: 1, code: 'eval(a)' }),
    makeReportedFinding({ rule: 'no-eval', path: 'src/b.js', line: 1, code: 'eval(b)' }),
    makeReportedFinding({ rule: 'no-exec', path: 'src/b.js', line: 2, code: 'exec(b)' }),
  ]);
});
after(() => world.stop());

async function help(q: string, token = place.admin.jwt) {
  const { status, body, problem } = await world.as(contract, token).helpWithFilter({
    path: { deployment: place.id },
    query: { q },
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

test('values of findings are offered with their counts, the most frequent first', async () => {
  const { completion } = await help('is:open rule:no');
  assert.equal(completion.key, 'rule');
  assert.deepEqual(completion.offers, [
    { value: 'no-eval', count: 2 },
    { value: 'no-exec', count: 1 },
  ]);
});

test('values of the grammar are offered for its keys', async () => {
  const { completion } = await help('severity:cr');
  assert.deepEqual(completion.offers, [{ value: 'critical' }]);
});

test('a filter without matches lists the terms to drop', async () => {
  const { matches, drops } = await help('rule:no-eval path:src/a.js severity:low');
  assert.equal(matches, 0);
  assert.deepEqual(
    drops.map(({ term, matches: found }) => [term, found]),
    [['severity:low', 1]],
  );
});

test('problems are reported with their position and suggestions', async () => {
  const { problems } = await help('severty:high');
  assert.equal(problems[0]?.code, 'UNKNOWN_KEY');
  assert.ok(problems[0]?.suggestions.includes('severity'));
});

test('a filter beyond the limits is explained without counting findings', async () => {
  const terms = Array.from({ length: 400 }, () => 'rule:no').join(' ');
  const { problems, matches, drops } = await help(terms);
  assert.deepEqual(
    problems.map(({ code, message }) => [code, message]),
    [
      ['TOO_MANY_TERMS', 'Write at most 50 terms; there are 250.'],
      ['TOO_LONG', 'Shorten the filter to 2,000 characters; it has 3,199.'],
    ],
  );
  assert.deepEqual([matches, drops], [0, []]);
});

test('a member of teams is offered no values of invisible projects (AZN-08)', async () => {
  const outsider = await world.memberWithoutTeam(place);
  const { matches, completion } = await help('rule:no', outsider.jwt);
  assert.equal(matches, 0);
  assert.deepEqual(completion.offers, []);
});
