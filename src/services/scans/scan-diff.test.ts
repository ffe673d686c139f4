import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as imports from '#services/imports/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

type Line = readonly [rule: string, line: number, level?: string];

const sarif = (lines: readonly Line[]) => {
  const results = lines.map(([ruleId, startLine, level = 'warning']) => ({
    ruleId,
    level,
    message: { text: ruleId },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a.js' },
          region: { startLine, snippet: { text: `${ruleId}()` } },
        },
      },
    ],
  }));
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'checker' } }, results }] });
};

async function scan(...lines: Line[]): Promise<string> {
  const answer = await world.as(imports, place.admin.jwt).importReport({
    path: { deployment: place.id },
    query: { project: 'acme/diff' },
    upload: sarif(lines),
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body.scanId;
}

const diffOf = async (scanId: string, token = place.admin.jwt) =>
  world.as(contract, token).getScanDiff({ path: { deploymentId: place.id, scanId } });

test('a diff lists opened, fixed, reopened and moved findings by severity against the previous scan', async () => {
  const first = await scan(['a', 1], ['b', 2], ['c', 3, 'error']);
  const second = await scan(['a', 1], ['c', 9, 'error'], ['d', 4, 'note'], ['e', 5, 'error']);
  const third = await scan(['a', 1], ['b', 2], ['c', 9, 'error'], ['d', 4, 'note'], ['e', 5, 'error']);
  const { body: opening } = await diffOf(first);
  assert.equal(opening.previousScanId, undefined);
  assert.deepEqual(opening.counts, { opened: 3, fixed: 0, reopened: 0, moved: 0, unchanged: 0, held: 0 });
  assert.equal(opening.opened[0]?.title, 'c');
  const { body: middle } = await diffOf(second);
  assert.equal(middle.previousScanId, first);
  assert.deepEqual(middle.counts, { opened: 2, fixed: 1, reopened: 0, moved: 1, unchanged: 1, held: 0 });
  assert.deepEqual(
    middle.opened.map(({ title, severity, line }) => [title, severity, line]),
    [
      ['e', 'SEVERITY_HIGH', 5],
      ['d', 'SEVERITY_LOW', 4],
    ],
  );
  assert.deepEqual(
    middle.fixed.map(({ title }) => title),
    ['b'],
  );
  const { body: last } = await diffOf(third);
  assert.deepEqual(last.counts, { opened: 0, fixed: 0, reopened: 1, moved: 0, unchanged: 4, held: 0 });
  assert.deepEqual(
    last.reopened.map(({ title, path }) => [title, path]),
    [['b', 'a.js']],
  );
  const outsider = await world.memberWithoutTeam(place);
  assert.equal((await diffOf(third, outsider.jwt)).status, 404);
});
