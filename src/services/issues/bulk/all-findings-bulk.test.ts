import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { announceNewIds } from '#domain/findings/tracking/id-snapshot.ts';
import * as members from '#domain/teams/members.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import * as workflows from '#services/public-issues/contract.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { waitFor, waitUntil } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as allFindings from '../all-findings/contract.ts';
import * as bulk from './contract.ts';
import { bulkUpdateHandler } from './jobs.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const path = ({ id: deploymentId }: TestDeployment) => ({ deploymentId });
type Start = Parameters<ReturnType<typeof starter>['startBulkUpdate']>[0]['body'];
const starter = (token: string) => world.as(bulk, token);
const decider = (token: string) => world.as(workflows, token);

async function report(place: TestDeployment, identities: readonly string[], projectId?: string): Promise<string[]> {
  const issues = identities.map((identity) => ({
    ...{ identity, title: identity, severity: 'SEVERITY_CRITICAL' as const },
    ...(projectId !== undefined && { projectId: projectId as Id<'Project'> }),
  }));
  const answer = await decider(place.admin.jwt).reportIssues({ path: path(place), body: { workflowId: 'w', issues } });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body.issues.map(({ id }) => id);
}

/** Two findings of a scanner, and four workflow issues: in their project, in another, in both and in none. */
async function ground() {
  const place = await world.deployment();
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(['a', 'b'].map((code) => makeReportedFinding({ rule: 'r', path: `${code}.js`, line: 1, code })));
  const other = await world.project(place);
  const [own = ''] = await report(place, ['own', 'both'], scanning.project);
  const [both = '', others = ''] = await report(place, ['both', 'others'], other);
  const [none = ''] = await report(place, ['none']);
  return { place, scanning, ids: { own, both, others, none }, snapshot: await look(place) };
}

/** The snapshot of the current list. */
async function look(place: TestDeployment): Promise<string> {
  return (await world.as(allFindings, place.admin.jwt).listAllIssues({ path: path(place), body: {} })).body.snapshot;
}

const IGNORED = {
  triageState: 'FINDING_TRIAGE_STATE_IGNORED',
  triageReason: 'FINDING_TRIAGE_REASON_NO_TIME',
} as const;
const usual = { q: 'is:open', params: IGNORED, includeWorkflows: true };

async function preview(place: TestDeployment, body: Start, token = place.admin.jwt) {
  const answer = await starter(token).startBulkUpdate({ path: path(place), body: { ...body, dryRun: true } });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body;
}

async function start(place: TestDeployment, body: Start, token = place.admin.jwt): Promise<string> {
  const answer = await starter(token).startBulkUpdate({ path: path(place), body });
  assert.equal(answer.status, 202, JSON.stringify(answer.problem));
  return answer.body.batchId ?? '';
}

const workerOf = (clock?: () => Date) => {
  const { database, assembly } = world;
  const options = { connection: database.connection, log: makeLog('silent'), workerId: 'test' };
  const worker = new JobWorker({ ...options, db: assembly.db, handlers: [bulkUpdateHandler(clock)] });
  worker.start();
  return worker;
};

async function end(place: TestDeployment, batchId: string, token = place.admin.jwt) {
  const worker = workerOf();
  const ended = await waitFor(async () => {
    const { body, status } = await starter(token).getBatch({ path: { ...path(place), batchId } });
    assert.equal(status, 200);
    return body.state === 'RUNNING' ? undefined : body;
  }, 'the batch does not end');
  await worker.stop();
  return ended;
}

const change = async (place: TestDeployment, body: Start, token?: string) => {
  const batchId = await start(place, body, token);
  return end(place, batchId, token);
};

const undo = (place: TestDeployment, batchId: string, token = place.admin.jwt) =>
  world.as(bulk, token).undoBatch({ path: { ...path(place), batchId: batchId as Id<'FindingBatch'> }, body: {} });

async function issueOf(place: TestDeployment, id: string) {
  const answer = await decider(place.admin.jwt).getIssue({ path: { ...path(place), issueId: id as Id<'Issue'> } });
  return answer.body.data;
}
const statesOf = async (place: TestDeployment, ids: Record<string, string>) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(ids).map(async ([name, id]) => {
        const { triageState, triageReason } = await issueOf(place, id);
        return [name, [triageState, triageReason].flatMap((word) => word?.replace(/^.*(STATE|REASON)_/, '') ?? [])];
      }),
    ),
  );
const historyOf = async (place: TestDeployment, id: string) =>
  (await decider(place.admin.jwt).getIssueActivityHistory({ path: { ...path(place), issueId: id as Id<'Issue'> } }))
    .body.history;
const ignoredFindings = async (place: TestDeployment) =>
  (
    await world.queryAsOwner('select from finding where deployment_id = $1 and triage_state = $2', [
      place.id,
      'ignored',
    ])
  ).length;

const NO_TIME = ['IGNORED', 'NO_TIME'];
const OPEN = ['OPEN'];
const all = (state: string[]) => ({ own: state, both: state, others: state, none: state });

describe('bulk update of findings and workflow issues', () => {
  test('previews the count, the projects and the most severe matches', async () => {
    const { place, scanning, snapshot, ids } = await ground();
    const previewed = await preview(place, { ...usual, snapshot });
    assert.deepEqual([previewed.count, previewed.workflowCount, previewed.elsewhereCount], [6, 4, 1]);
    const [row] = await world.queryAsOwner<{ name: string }>('select name from project where id = $1', [
      scanning.project,
    ]);
    assert.deepEqual(previewed.projects?.[0], { name: row?.name, count: 4 });
    assert.deepEqual(
      previewed.projects?.map(({ count }) => count),
      [4, 2],
    );
    assert.deepEqual(
      previewed.worst?.map(({ kind, issueId }) => [kind, issueId]),
      [ids.none, ids.others, ids.own].map((id) => ['FINDING_KIND_WORKFLOW_ISSUE', id]),
    );
    assert.deepEqual(previewed.notKeptByWorkflows, []);
    assert.deepEqual(await statesOf(place, ids), all(OPEN));
  });

  test('updates and counts both kinds, and one undo restores both', async () => {
    const { place, snapshot, ids } = await ground();
    const before = await issueOf(place, ids.own);
    const { batchId, state, total, done, skipped } = await change(place, { ...usual, snapshot });
    assert.deepEqual([state, total, done, skipped], ['DONE', 6, 6, 0]);
    assert.deepEqual(await statesOf(place, ids), all(NO_TIME));
    assert.equal(await ignoredFindings(place), 2);
    const [line, ...more] = await historyOf(place, ids.own);
    assert.deepEqual([line?.actorType, line?.actorId], ['ACTOR_TYPE_USER', place.admin.id]);
    assert.deepEqual([line?.reason, line?.newValues.triageState], ['TRIAGE_REASON_NO_TIME', 'TRIAGE_STATE_IGNORED']);
    assert.deepEqual(
      [line?.oldValues.triageState, line?.oldValues.triagedAt, more],
      ['TRIAGE_STATE_OPEN', undefined, []],
    );

    const undone = await undo(place, batchId);
    assert.deepEqual([undone.body.undone, undone.body.skipped], [6, 0]);
    assert.deepEqual(await issueOf(place, ids.own), before);
    assert.deepEqual(await statesOf(place, ids), all(OPEN));
    assert.equal(await ignoredFindings(place), 0);
    assert.equal((await historyOf(place, ids.own))[0]?.newValues.triageState, 'TRIAGE_STATE_OPEN');
    const again = await undo(place, batchId);
    assert.deepEqual([again.body.undone, again.body.skipped], [0, 6]);

    const { batchId: made = '' } = undone.body;
    const { body } = await starter(place.admin.jwt).getBatch({ path: { ...path(place), batchId: made } });
    assert.deepEqual([body.state, body.total, body.done], ['DONE', 6, 6]);
    assert.equal((await undo(place, made)).body.undone, 6);
    assert.deepEqual(await statesOf(place, ids), all(NO_TIME));
  });

  test('does not touch or count workflow issues without includeWorkflows', async () => {
    const { place, snapshot, ids } = await ground();
    const previewed = await preview(place, { q: 'is:open', params: IGNORED, snapshot });
    assert.equal(previewed.count, 2);
    assert.deepEqual(Object.keys(previewed).sort(), ['count', 'projects', 'snapshot', 'worst']);
    assert.equal(previewed.worst?.[0] && 'kind' in previewed.worst[0], false);
    const { total, done } = await change(place, { q: 'is:open', params: IGNORED, snapshot });
    assert.deepEqual([total, done], [2, 2]);
    assert.deepEqual(await statesOf(place, ids), all(OPEN));
  });

  test('skips what is newer than the snapshot or no longer matches', async () => {
    const { place, snapshot, ids } = await ground();
    const [late = ''] = await report(place, ['late']);
    assert.equal((await preview(place, { ...usual, snapshot })).workflowCount, 4);
    const batchId = await start(place, { ...usual, snapshot });
    const body = { triageState: 'TRIAGE_STATE_FIXING' as const };
    await decider(place.admin.jwt).triageIssue({ path: { ...path(place), issueId: ids.own as Id<'Issue'> }, body });
    const { total, done, skipped } = await end(place, batchId);
    assert.deepEqual([total, done, skipped], [6, 5, 1]);
    assert.deepEqual(await statesOf(place, { ...ids, late }), { ...all(NO_TIME), own: ['FIXING'], late: OPEN });
    // Reporting it again does not make it new.
    await report(place, ['own', 'late']);
    assert.equal((await preview(place, { ...usual, snapshot })).workflowCount, 0);
  });

  test('skips issues whose report was in progress when the snapshot was taken', async () => {
    const { place, ids } = await ground();
    let slowIssue = '';
    const snapshot = await world.inDeployment(place, async (tx) => {
      await announceNewIds(tx);
      const [row] = await tx.rows`
        insert into workflow_issue (deployment_id, identity, title, description, reasoning, severity, detection_state,
          created_at, last_detected_at, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids,
          trigger_sources, ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps)
        select deployment_id, 'slow', title, description, reasoning, severity, detection_state, created_at,
          last_detected_at, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids, trigger_sources,
          ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps
        from workflow_issue where deployment_id = ${place.id} and id = ${ids.none} returning id`;
      slowIssue = String(row?.['id']);
      await report(place, ['quick']);
      return look(place);
    });
    assert.equal((await change(place, { ...usual, snapshot })).done, 6);
    assert.deepEqual(await statesOf(place, { slow: slowIssue }), { slow: OPEN });
  });

  test('undo skips issues that were triaged since', async () => {
    const { place, snapshot, ids } = await ground();
    const { batchId } = await change(place, { ...usual, snapshot });
    const member = await world.member(place);
    const body = { triageState: 'TRIAGE_STATE_REVIEWING' as const };
    await decider(member.jwt).triageIssue({ path: { ...path(place), issueId: ids.none as Id<'Issue'> }, body });
    // Reporting is not triage.
    await report(place, ['both']);
    const undone = await undo(place, batchId);
    assert.deepEqual([undone.body.undone, undone.body.skipped], [5, 1]);
    assert.deepEqual(await statesOf(place, ids), { ...all(OPEN), none: ['REVIEWING'] });
  });

  test('supports filters that match only workflow issues or none of them', async () => {
    const { place, snapshot, ids } = await ground();
    for (const q of ['confidence:low is:open', 'is:open type:code', 'is:open rule:r'])
      assert.equal((await preview(place, { ...usual, q, snapshot })).workflowCount, 0, q);
    const typed = { ...usual, issueType: 'ISSUE_TYPE_SAST' as const, snapshot };
    assert.deepEqual([(await preview(place, typed)).count, (await preview(place, typed)).workflowCount], [2, 0]);
    const none = await change(place, { ...usual, q: 'confidence:low type:workflow', snapshot });
    assert.deepEqual([none.state, none.total, none.done], ['DONE', 0, 0]);
    assert.equal((await undo(place, none.batchId)).body.undone, 0);

    const only = { ...usual, q: 'type:workflow', snapshot };
    assert.deepEqual([(await preview(place, only)).count, (await preview(place, only)).workflowCount], [4, 4]);
    const { batchId, done } = await change(place, only);
    assert.equal(done, 4);
    assert.deepEqual([await statesOf(place, ids), await ignoredFindings(place)], [all(NO_TIME), 0]);
    assert.equal((await undo(place, batchId)).body.undone, 4);
  });

  test('names the members that workflow issues do not store and applies the rest', async () => {
    const { place, snapshot, ids } = await ground();
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const params = { ...IGNORED, triageReason: 'FINDING_TRIAGE_REASON_DUPLICATE' as const, note: 'twice', until };
    const previewed = await preview(place, { ...usual, params, snapshot });
    assert.deepEqual(previewed.notKeptByWorkflows, ['note', 'until', 'triageReason']);
    const answer = await starter(place.admin.jwt).startBulkUpdate({
      path: path(place),
      body: { ...usual, params, snapshot },
    });
    assert.deepEqual(answer.body.notKeptByWorkflows, ['note', 'until', 'triageReason']);
    assert.equal((await end(place, answer.body.batchId ?? '')).done, 6);
    assert.deepEqual(await statesOf(place, ids), all(['IGNORED']));
    const note = { ...usual, q: 'is:ignored', params: { note: 'only a comment' }, snapshot };
    const noted = await preview(place, note);
    assert.deepEqual([noted.count, noted.workflowCount, noted.notKeptByWorkflows], [2, 0, ['note']]);
    assert.equal((await change(place, note)).done, 2);
    assert.equal((await historyOf(place, ids.own)).length, 1);
  });

  test('resumes after a failed round and updates each issue once', async () => {
    const { place, ids } = await ground();
    await world.queryAsOwner(
      `insert into workflow_issue (deployment_id, identity, title, description, reasoning, severity, detection_state,
         created_at, last_detected_at, is_in_project, file_path_key, actions, workflow_ids, workflow_job_ids,
         trigger_sources, ref_ids, file_paths, dependency_paths, direct_dependencies, domains, cwes, owasps)
       select $1, n, n, '', '', 1, 'DETECTION_STATE_DETECTED', now(), now(), false, '', '{}', '{}', '{}', '{}', '{}',
         '{}', '{}', '{}', '{}', '{}', '{}' from generate_series(1, 1500) as n`,
      [place.id],
    );
    const batchId = await start(place, { ...usual, snapshot: await look(place) });
    let rounds = 0;
    const failing = workerOf(() => {
      rounds++;
      if (rounds === 2) throw new Error('The worker dies in its second round.');
      return new Date();
    });
    await waitUntil(() => rounds === 2);
    await failing.stop();
    const { body } = await starter(place.admin.jwt).getBatch({ path: { ...path(place), batchId } });
    assert.deepEqual([body.state, body.total, body.done], ['RUNNING', 1506, 1000]);
    await world.queryAsOwner(`update job set run_at = now() where kind = 'task.findings.decide'`);
    const ended = await end(place, batchId);
    assert.deepEqual([ended.done, ended.skipped], [1506, 0]);
    const lines = `select count(*)::int as count, count(distinct issue_id)::int as issues
      from workflow_issue_activity where batch_id = $1`;
    assert.deepEqual(await world.queryAsOwner(lines, [batchId]), [{ count: 1504, issues: 1504 }]);
    assert.equal((await undo(place, batchId)).body.undone, 1506);
    assert.deepEqual(await statesOf(place, ids), all(OPEN));
  });
});

describe('permissions of a bulk update of both kinds', () => {
  test('requires triage permission and records the token in the history', async () => {
    const { place, snapshot, ids } = await ground();
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    const refused = await starter(reader.jwt).startBulkUpdate({ path: path(place), body: { ...usual, snapshot } });
    assert.equal(refused.problem.code, 'PERMISSION_DENIED');
    const token = await world.token(place);
    assert.equal((await change(place, { ...usual, snapshot }, token.text)).done, 6);
    const [line] = await historyOf(place, ids.own);
    assert.deepEqual([line?.actorType, line?.actorId], ['ACTOR_TYPE_SERVICE', `token:${token.id}`]);
  });

  test('changes and undoes only issues visible to the caller (AZN-08)', async () => {
    const { place, scanning, snapshot, ids } = await ground();
    const clerk = await world.memberWithoutTeam(place);
    const team = await makeObject({ world, place, viewers: [clerk] }, 'Team');
    await world.inDeployment(place, (tx) =>
      members.addProjects(tx, { deployment: place.id, team }, [scanning.project]),
    );
    const previewed = await preview(place, { ...usual, snapshot }, clerk.jwt);
    assert.deepEqual([previewed.count, previewed.workflowCount, previewed.elsewhereCount], [5, 3, 1]);
    assert.deepEqual(
      previewed.projects?.map(({ count }) => count),
      [4],
    );
    assert.equal((await change(place, { ...usual, snapshot }, clerk.jwt)).done, 5);
    assert.deepEqual(await statesOf(place, ids), { ...all(NO_TIME), others: OPEN });
    const { batchId } = await change(place, {
      ...usual,
      q: 'type:workflow',
      params: { ...IGNORED, triageReason: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE' },
      snapshot,
    });
    const undone = await undo(place, batchId, clerk.jwt);
    assert.deepEqual([undone.status, undone.body.undone, undone.body.skipped], [200, 3, 0]);
    assert.deepEqual(await statesOf(place, ids), { ...all(NO_TIME), others: ['IGNORED', 'FALSE_POSITIVE'] });
  });

  test('a batch of invisible issues is not found (AZN-08)', async () => {
    const { place, scanning, snapshot } = await ground();
    const { batchId } = await change(place, {
      ...usual,
      q: 'type:workflow',
      filter: { repositoryIds: [scanning.project as Id<'Project'>] },
      snapshot,
    });
    const outsider = await world.memberWithoutTeam(place);
    assert.equal((await starter(outsider.jwt).getBatch({ path: { ...path(place), batchId } })).status, 404);
    assert.equal((await undo(place, batchId, outsider.jwt)).status, 404);
    const clerk = await world.memberWithoutTeam(place);
    const team = await makeObject({ world, place, viewers: [clerk] }, 'Team');
    await world.inDeployment(place, (tx) =>
      members.addProjects(tx, { deployment: place.id, team }, [scanning.project]),
    );
    assert.equal((await starter(clerk.jwt).getBatch({ path: { ...path(place), batchId } })).status, 200);
  });

  test('needs no approval for workflow issues, like single triage', async () => {
    const { place, snapshot, ids } = await ground();
    await world.queryAsOwner(
      `insert into product_config (deployment_id, settings) values ($1, '{"hasDeveloperTriage": true}')`,
      [place.id],
    );
    const member = await world.member(place);
    const { done } = await change(place, { ...usual, snapshot }, member.jwt);
    assert.equal(done, 6);
    assert.deepEqual([await statesOf(place, ids), await ignoredFindings(place)], [all(NO_TIME), 0]);
  });

  test('does not affect other deployments', async () => {
    const [here, there] = [await ground(), await ground()];
    const { batchId, done } = await change(here.place, { ...usual, snapshot: '9007199254740991' });
    assert.equal(done, 6);
    assert.deepEqual(await statesOf(there.place, there.ids), all(OPEN));
    assert.equal((await undo(there.place, batchId)).status, 404);
    assert.equal((await undo(here.place, batchId, there.place.admin.jwt)).status, 404);
    assert.deepEqual(await statesOf(here.place, here.ids), all(NO_TIME));
  });
});
