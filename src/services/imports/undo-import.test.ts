import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const client = () => world.as(contract, place.admin.jwt);

const sarif = (lines: readonly (readonly [line: number, code: string])[]) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'checker' } },
        results: lines.map(([startLine, text]) => ({
          ruleId: 'no-eval',
          message: { text: 'eval' },
          locations: [
            {
              physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine, snippet: { text } } },
            },
          ],
        })),
      },
    ],
  });

async function scan(project: string, lines: readonly (readonly [number, string])[], ref?: string) {
  const { status, body, problem } = await client().importReport({
    path: { deployment: place.id },
    query: { project, ...(ref !== undefined && { ref }) },
    upload: sarif(lines),
  });
  assert.equal(status, 200, JSON.stringify(problem));
  return body;
}

const undo = (scanId: string) => client().undoImport({ path: { deployment: place.id, scanId } });

const stateOf = (project: string) =>
  world.queryAsOwner(
    `select finding.id, finding.status, finding.line, finding.reopened_count, detection.state, detection.path,
       detection.line as there
     from finding join project on project.id = project_id left join detection on finding_id = finding.id
     where project.name = $1 order by finding.id`,
    [project],
  );

test('undoing a scan restores opened, fixed, moved and reopened findings', async () => {
  await scan('acme/undo', [
    [3, 'eval(a)'],
    [9, 'eval(b)'],
  ]);
  const before = await stateOf('acme/undo');
  const second = await scan('acme/undo', [
    [5, 'eval(a)'],
    [20, 'eval(c)'],
  ]);
  assert.deepEqual([second.opened, second.fixed, second.moved], [1, 1, 1]);
  const { status, body } = await undo(second.scanId);
  assert.equal(status, 200);
  assert.deepEqual(body, { withdrawn: 1, restored: 2 });
  assert.deepEqual(await stateOf('acme/undo'), before);
});

test('only the last scan of a ref and tool can be undone, and only once', async () => {
  const first = await scan('acme/order', [[3, 'eval(a)']]);
  const second = await scan('acme/order', [[4, 'eval(a)']]);
  assert.equal((await undo(first.scanId)).status, 409);
  assert.equal((await undo(second.scanId)).status, 200);
  assert.equal((await undo(second.scanId)).status, 409);
  assert.equal((await undo(first.scanId)).status, 200);
  assert.deepEqual(await stateOf('acme/order'), []);
});

test('undoing a scan of a pull request removes its episodes', async () => {
  await scan('acme/pull', [], 'main');
  const episodes = () =>
    world.queryAsOwner(
      `select from guardrail_episode join project on project.id = project_id where project.name = 'acme/pull'`,
    );
  const pull = await scan('acme/pull', [[3, 'eval(a)']], 'refs/pull/7/merge');
  assert.equal((await episodes()).length, 1);
  assert.equal((await undo(pull.scanId)).status, 200);
  assert.equal((await episodes()).length, 0);
});

test('triage decisions outlive the scan that opened the finding', async () => {
  const only = await scan('acme/kept', [[3, 'eval(a)']]);
  await world.queryAsOwner(
    `update finding set triage_state = 'ignored' from project where project.id = project_id and name = 'acme/kept'`,
  );
  await undo(only.scanId);
  const [row] = (await stateOf('acme/kept')) as { status: string }[];
  assert.equal(row?.status, 'removed');
});

test('replaying a stored report shows what would change today and changes nothing', async () => {
  const first = await scan('acme/replay', [[3, 'eval(a)']]);
  await scan('acme/replay', [[3, 'other(b)']]);
  const before = await stateOf('acme/replay');
  const { status, body } = await client().replayImport({ path: { deployment: place.id, scanId: first.scanId } });
  assert.equal(status, 200);
  assert.deepEqual([body.reopened, body.fixed, body.opened], [1, 1, 0]);
  assert.deepEqual(await stateOf('acme/replay'), before);
});
