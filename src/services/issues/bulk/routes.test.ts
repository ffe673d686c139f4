import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import * as tasks from '#services/tasks/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { waitFor, waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as list from '../list/contract.ts';
import * as bulk from './contract.ts';
import { bulkUpdateHandler } from './jobs.ts';

const MANY = 2300;

let world: World;
let place: TestDeployment;
let scanning: ProjectScans;
let snapshot: string;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  scanning = await ProjectScans.start(world, place);
  const many = Array.from({ length: MANY }, (_, n) =>
    makeReportedFinding({ rule: 'many', path: `f${n}.js`, line: 1, code: `x${n}` }),
  );
  await scanning.scan([
    ...many,
    makeReportedFinding({
      rule: 'one',
      path: 'z.js',
      line: 1,
      code: 'z',
      more: { severity: 'critical', title: 'Worst' },
    }),
  ]);
  snapshot = (await world.as(list, place.admin.jwt).listIssues({ path: path(), body: { limit: 1 } })).body
    .snapshot as string;
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const as = (token = place.admin.jwt) => world.as(bulk, token);
const params = { triageState: 'FINDING_TRIAGE_STATE_IGNORED', triageReason: 'FINDING_TRIAGE_REASON_NO_TIME' } as const;

const work = (clock?: () => Date) => {
  const { database, assembly } = world;
  const log = makeLog('silent');
  const handlers = [bulkUpdateHandler(clock)];
  const worker = new JobWorker({ db: assembly.db, connection: database.connection, log, workerId: 'test', handlers });
  worker.start();
  return worker;
};

const batchOf = (batchId: string, isThere: (batch: { state: string; done: number }) => boolean) =>
  waitFor(async () => {
    const answer = await as().getBatch({ path: { ...path(), batchId } });
    assert.equal(answer.status, 200, JSON.stringify(answer.problem));
    return isThere(answer.body) ? answer.body : undefined;
  }, 'the batch does not get there');

const ignored = async () => {
  const [row] = await world.queryAsOwner<{ count: number }>(
    `select count(*)::integer as count from finding where triage_state = 'ignored' and project_id = $1`,
    [scanning.project],
  );
  return row?.count;
};

test('a dry run reports the count, projects and most severe matches and changes nothing', async () => {
  const body = { q: 'is:open', params, snapshot, dryRun: true };
  const { status, body: preview } = await as().startBulkUpdate({ path: path(), body });
  assert.equal(status, 200);
  assert.equal(preview.count, MANY + 1);
  assert.equal(preview.projects?.[0]?.count, MANY + 1);
  assert.deepEqual([preview.worst?.length, preview.worst?.[0]?.title], [3, 'Worst']);
  assert.equal(preview.worst?.[0]?.severity, 'SEVERITY_CRITICAL');
  assert.equal(preview.snapshot, snapshot);
  assert.equal(await ignored(), 0);
});

test('requires a selection, a decision, a snapshot and triage permission', async () => {
  const refused = async (body: object, token?: string) =>
    (await as(token).startBulkUpdate({ path: path(), body: { params, snapshot, ...body } })).problem.code;
  assert.equal(await refused({}), 'VALIDATION_FAILED');
  assert.equal(await refused({ q: 'is:open', snapshot: undefined }), 'VALIDATION_FAILED');
  assert.equal(await refused({ q: 'is:open', params: {} }), 'VALIDATION_FAILED');
  assert.equal(await refused({ q: 'is:nothing' }), 'INVALID_QUERY');
  assert.equal(
    await refused({ q: 'is:open' }, (await world.member(place, 'ORG_ROLE_READONLY')).jwt),
    'PERMISSION_DENIED',
  );
});

test('resumes after a failure, updates each issue once, and one undo restores all', async () => {
  await scanning.scan([makeReportedFinding({ rule: 'many', path: 'later.js', line: 1, code: 'later' })], {
    mode: 'diff',
  });
  const started = await as().startBulkUpdate({ path: path(), body: { q: 'is:open rule:many', params, snapshot } });
  assert.equal(started.status, 202, JSON.stringify(started.problem));
  const { batchId = '', taskTokenJwt = '' } = started.body;
  assert.equal((await batchOf(batchId, ({ state }) => state === 'RUNNING')).done, 0);
  let rounds = 0;
  const failing = work(() => {
    rounds++;
    if (rounds === 2) throw new Error('The worker dies in its second round.');
    return new Date();
  });
  await batchOf(batchId, ({ done }) => done === 1000 && rounds >= 2);
  await failing.stop();
  assert.equal(await ignored(), 1000);
  await world.queryAsOwner(`update job set run_at = now() where kind = 'task.findings.decide'`);
  const worker = work();
  const { endedAt, by, ...done } = await batchOf(batchId, ({ state }) => state === 'DONE');
  await worker.stop();
  assert.deepEqual([done.total, done.done, done.skipped, by], [MANY, MANY, 0, place.admin.email]);
  assert.ok(endedAt);
  assert.equal(await ignored(), MANY);
  const events = `select count(*)::integer as count from finding_event where batch_id = $1 group by finding_id
    having count(*) > 1`;
  assert.deepEqual(await world.queryAsOwner(events, [batchId]), []);
  const task = await world.as(tasks, place.admin.jwt).getTaskResult({ path: { taskTokenJwt } });
  assert.equal(task.body.taskResult?.status, 'TASK_STATUS_COMPLETED');
  const undone = await world.as(bulk, place.admin.jwt).undoBatch({ path: { ...path(), batchId }, body: {} });
  assert.deepEqual([undone.body.undone, undone.body.skipped], [MANY, 0]);
  assert.equal(await ignored(), 0);
});

test('undo of a running update restores what was changed and stops further rounds', async () => {
  const body = { q: 'is:open', params, snapshot };
  const { batchId = '' } = (await as().startBulkUpdate({ path: path(), body })).body;
  let hasFailed = false;
  const failing = work(() => {
    hasFailed = true;
    throw new Error('No round is done.');
  });
  await waitUntil(() => hasFailed);
  await failing.stop();
  const undo = await world.as(bulk, place.admin.jwt).undoBatch({ path: { ...path(), batchId }, body: {} });
  assert.deepEqual([undo.status, undo.body.undone], [200, 0]);
  assert.equal((await as().getBatch({ path: { ...path(), batchId } })).body.state, 'FAILED');
  const other = (await as().startBulkUpdate({ path: path(), body })).body.batchId ?? '';
  const worker = work();
  await batchOf(other, ({ done }) => done >= 1000);
  const stopped = await world.as(bulk, place.admin.jwt).undoBatch({ path: { ...path(), batchId: other }, body: {} });
  assert.equal(stopped.status, 200);
  await worker.stop();
  const left = `select count(*)::integer as count from finding where triage_state = 'ignored' and id in (
    select finding_id from finding_event where batch_id = $1)`;
  assert.deepEqual(await world.queryAsOwner(left, [other]), [{ count: 0 }]);
});

test('a batch is visible to its creator and to callers who see one of its findings (AZN-08)', async () => {
  const { batchId = '' } = (await as().startBulkUpdate({ path: path(), body: { q: 'rule:one', params, snapshot } }))
    .body;
  const outsider = await world.memberWithoutTeam(place);
  assert.equal((await as(outsider.jwt).getBatch({ path: { ...path(), batchId } })).status, 404);
});
