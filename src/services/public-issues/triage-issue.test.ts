import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Triage Works');
});
after(() => world.stop());

const issue = async () => (await makeObject({ world, place }, 'Issue')) as Id<'Issue'>;
const pathOf = (issueId: string) => ({ deploymentId: place.id, issueId: issueId as Id<'Issue'> });
const as = (token = place.admin.jwt) => world.as(contract, token);
type Body = Parameters<ReturnType<typeof as>['triageIssue']>[0]['body'];
const triage = (issueId: string, body: Body, token?: string) => as(token).triageIssue({ path: pathOf(issueId), body });
const history = async (issueId: string) => (await as().getIssueActivityHistory({ path: pathOf(issueId) })).body.history;

const send = (target: string, body: unknown, headers: Record<string, string> = {}) =>
  sendRequest(world.baseUrl, {
    method: 'POST',
    target,
    headers: { authorization: `Bearer ${place.admin.jwt}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const STATES = [
  'TRIAGE_STATE_IGNORED',
  'TRIAGE_STATE_OPEN',
  'TRIAGE_STATE_REOPENED',
  'TRIAGE_STATE_REVIEWING',
  'TRIAGE_STATE_FIXING',
  'TRIAGE_STATE_PROVISIONALLY_IGNORED',
  'TRIAGE_STATE_FIXED',
] as const;

describe('triage issue (seed 4.3)', () => {
  test('sets the triage state and reason and returns the issue under data', async () => {
    const id = await issue();
    const { status, body } = await triage(id, {
      deploymentId: place.id,
      issueId: id,
      triageState: 'TRIAGE_STATE_IGNORED',
      triageReason: 'TRIAGE_REASON_FALSE_POSITIVE',
    });
    assert.equal(status, 200);
    assert.equal(body.data.id, id);
    assert.equal(body.data.deploymentId, place.id);
    assert.equal(body.data.triageState, 'TRIAGE_STATE_IGNORED');
    assert.equal(body.data.triageReason, 'TRIAGE_REASON_FALSE_POSITIVE');
    assert.ok(body.data.triagedAt);
    const shown = await as().getIssue({ path: pathOf(id) });
    assert.deepEqual(shown.body.data, body.data);
  });

  test('any state may follow any state', async () => {
    const id = await issue();
    for (const before of STATES)
      for (const after of STATES) {
        assert.equal((await triage(id, { triageState: before })).body.data.triageState, before);
        assert.equal((await triage(id, { triageState: after })).body.data.triageState, after);
      }
  });

  test('a reason is stored only with IGNORED', async () => {
    const id = await issue();
    for (const triageState of STATES) {
      const { body } = await triage(id, { triageState, triageReason: 'TRIAGE_REASON_NO_TIME' });
      const kept = triageState === 'TRIAGE_STATE_IGNORED' ? 'TRIAGE_REASON_NO_TIME' : undefined;
      assert.equal(body.data.triageReason, kept);
    }
    const again = await triage(id, { triageState: 'TRIAGE_STATE_IGNORED' });
    assert.equal(again.body.data.triageReason, undefined);
  });

  test('documented reasons are accepted, other reasons and states are refused', async () => {
    const id = await issue();
    for (const reason of ['FALSE_POSITIVE', 'ACCEPTABLE_RISK', 'NO_TIME'] as const) {
      const triageReason = `TRIAGE_REASON_${reason}` as const;
      const { body } = await triage(id, { triageState: 'TRIAGE_STATE_IGNORED', triageReason });
      assert.equal(body.data.triageReason, triageReason);
    }
    const target = `/api/issues/${place.id}/issue/${id}`;
    for (const body of [{}, { triageState: 'OPEN' }, { triageState: 'TRIAGE_STATE_OPEN', triageReason: 'BORED' }])
      assert.equal((await send(target, body)).status, 400);
    assert.equal((await send(target, { triageState: 'TRIAGE_STATE_UNSPECIFIED' })).status, 400);
  });

  test('ids in the body must equal those in the path (AZN-06)', async () => {
    const [id, another] = [await issue(), await issue()];
    const state = { triageState: 'TRIAGE_STATE_FIXING' };
    for (const deployment of [place.id, place.slug])
      for (const repeated of [place.id, place.slug]) {
        const target = `/api/issues/${deployment}/issue/${id}`;
        const { status } = await send(target, { ...state, deploymentId: repeated, issueId: id });
        const isSame = repeated === place.id || repeated === deployment;
        assert.equal(status, isSame ? 200 : 400, `${deployment} ${repeated}`);
      }
    const target = `/api/issues/${place.id}/issue/${id}`;
    for (const wrong of [{ issueId: another }, { deploymentId: '999' }, { issue_id: another }, { deploymentId: '' }]) {
      const answer = await send(target, { ...state, ...wrong });
      assert.equal(answer.status, 400);
      assert.equal((answer.json['errors'] as { code: string }[])[0]?.code, 'PATH_MISMATCH');
    }
    assert.equal((await as().getIssue({ path: pathOf(another) })).body.data.triageState, 'TRIAGE_STATE_OPEN');
  });

  test('the history has old and new values, actor and reason, newest first', async () => {
    const id = await issue();
    const member = await world.member(place);
    const token = await world.token(place);
    await triage(id, { triageState: 'TRIAGE_STATE_REVIEWING' }, member.jwt);
    await triage(
      id,
      { triageState: 'TRIAGE_STATE_IGNORED', triageReason: 'TRIAGE_REASON_ACCEPTABLE_RISK' },
      token.text,
    );
    const [last, first, ...more] = await history(id);
    assert.deepEqual(more, []);
    assert.deepEqual([first?.actorType, first?.actorId], ['ACTOR_TYPE_USER', member.id]);
    assert.equal(first?.oldValues.triageState, 'TRIAGE_STATE_OPEN');
    assert.equal(first?.newValues.triageState, 'TRIAGE_STATE_REVIEWING');
    assert.deepEqual([last?.actorType, last?.actorId], ['ACTOR_TYPE_SERVICE', `token:${token.id}`]);
    assert.equal(last?.oldValues.triageState, 'TRIAGE_STATE_REVIEWING');
    assert.equal(last?.newValues.triageReason, 'TRIAGE_REASON_ACCEPTABLE_RISK');
    assert.equal(last?.reason, 'TRIAGE_REASON_ACCEPTABLE_RISK');
    assert.equal(last?.changedFields, 'triageState,triagedAt,triageReason');
    assert.equal(last?.issueId, id);
  });

  test('repeating a decision changes nothing and adds no history', async () => {
    const id = await issue();
    const first = await triage(id, { triageState: 'TRIAGE_STATE_FIXED' });
    const again = await triage(id, { triageState: 'TRIAGE_STATE_FIXED' });
    assert.deepEqual(again.body, first.body);
    assert.equal((await history(id)).length, 1);
  });

  test('a stale If-Match is refused, the current one is accepted (CON-02)', async () => {
    const id = await issue();
    const target = `/api/issues/${place.id}/issue/${id}`;
    const put = (triageState: string, tag: string) => send(target, { triageState }, { 'if-match': tag });
    const first = await put('TRIAGE_STATE_FIXING', '"1"');
    assert.deepEqual([first.status, first.headers['etag']], [200, '"2"']);
    const stale = await put('TRIAGE_STATE_FIXED', '"1"');
    assert.deepEqual([stale.status, stale.json['code']], [412, 'VERSION_MISMATCH']);
    assert.equal((await put('TRIAGE_STATE_FIXED', '"2"')).status, 200);
  });

  test('of 16 concurrent callers with the same version exactly one succeeds', async () => {
    const id = await issue();
    const target = `/api/issues/${place.id}/issue/${id}`;
    const calls = Array.from({ length: 16 }, (_, index) =>
      send(target, { triageState: STATES[index % STATES.length] }, { 'if-match': '"1"' }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...new Array(15).fill(412)]);
    assert.equal((await history(id)).length, 1);
  });

  test('a reader may not triage, and an invisible issue is not found (AZN-01, AZN-03)', async () => {
    const id = await issue();
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.equal((await triage(id, { triageState: 'TRIAGE_STATE_FIXED' }, reader.jwt)).status, 403);
    const { body } = await as().reportIssues({
      path: { deploymentId: place.id },
      body: {
        workflowId: 'w',
        issues: [{ identity: 'hidden', title: 'Hidden', projectId: (await world.project(place)) as Id<'Project'> }],
      },
    });
    const outsider = await world.memberWithoutTeam(place);
    const hidden = body.issues[0]?.id ?? '';
    assert.equal((await triage(hidden, { triageState: 'TRIAGE_STATE_FIXED' }, outsider.jwt)).status, 404);
    assert.equal((await as(outsider.jwt).getIssueActivityHistory({ path: pathOf(hidden) })).status, 404);
  });
});
