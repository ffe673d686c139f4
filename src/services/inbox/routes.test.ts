import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as bulk from '#services/issues/bulk/contract.ts';
import * as views from '#services/issues/views/contract.ts';
import { requestException } from '#test/support/factories/inbox.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { makeScan } from '#test/support/factories/scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const DAY_MS = 86_400_000;

let world: World;
let place: TestDeployment;
let scanning: ProjectScans;
let other: TestUser;
let outsider: TestUser;

const code = (rule: string, path: string) => makeReportedFinding({ rule, path, line: 3, code: `${rule}(x)` });
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

before(async () => {
  world = await World.start();
  place = await world.deployment();
  scanning = await ProjectScans.start(world, place);
  await scanning.scan([code('old', 'old.js'), code('back', 'back.js')], { at: daysAgo(60) });
  await scanning.scan([code('old', 'old.js')], { at: daysAgo(50) });
  await scanning.scan([code('old', 'old.js'), code('back', 'back.js'), code('new', 'new.js')], { at: daysAgo(2) });
  other = await world.member(place, 'ORG_ROLE_ADMIN');
  outsider = await world.memberWithoutTeam(place);
});
after(() => world.stop());

const path = () => ({ deployment: place.id });
const as = (token = place.admin.jwt) => world.as(contract, token);
const idOf = async (file: string) => (await scanning.findings()).find((one) => one.path === file)?.id ?? '';

async function review(token?: string) {
  const answer = await as(token).listReview({ path: path() });
  assert.equal(answer.status, 200, JSON.stringify(answer.problem));
  return answer.body.issues;
}
const titles = async (token?: string) => (await review(token)).map(({ path: file }) => file).sort();
/** The count of a tab. Checks that the list of its filter has as many issues. */
async function count(tab: string, token = place.admin.jwt) {
  const found = (await as(token).getInbox({ path: path() })).body.tabs.find((one) => one.tab === tab);
  if (found?.q !== undefined) {
    const request = { path: { deploymentId: place.id }, body: { q: found.q, keys: [] } };
    const { body } = await world.as(views, token).getIssueFacets(request);
    assert.deepEqual([Number(body.total), body.totalIsExact], [found.issueCount, true], found.q);
  }
  return found?.count;
}

describe('the review queue', () => {
  test('has visible open issues that are new or reopened within 30 days (AZN-08)', async () => {
    assert.deepEqual(await titles(), ['back.js', 'new.js']);
    assert.equal(await count('REVIEW'), 2);
    const back = (await review()).find(({ path: file }) => file === 'back.js');
    assert.deepEqual([back?.isReopened, back?.ref, back?.severity], [true, 'main', 'SEVERITY_HIGH']);
    assert.deepEqual(await titles(outsider.jwt), []);
    assert.equal(await count('REVIEW', outsider.jwt), 0);
  });

  test('marking as done removes an issue for the caller until it is unmarked or reopened', async () => {
    const issueIds = [await idOf('back.js'), await idOf('new.js')];
    const done = await as().markDone({ path: path(), body: { issueIds } });
    assert.deepEqual([done.status, done.body.count], [200, 2]);
    assert.deepEqual(await titles(), []);
    assert.equal(await count('REVIEW'), 0);
    assert.deepEqual(await titles(other.jwt), ['back.js', 'new.js']);
    await as().markUndone({ path: path(), body: { issueIds: [await idOf('new.js')] } });
    assert.deepEqual(await titles(), ['new.js']);
    await world.queryAsOwner(`update inbox_done set at = now() - interval '40 days'`);
    assert.deepEqual(await titles(), ['back.js', 'new.js']);
  });

  test('marking an invisible issue fails like an unknown id and marks nothing', async () => {
    const issueIds = [await idOf('new.js'), '999999999'];
    const refused = await as().markDone({ path: path(), body: { issueIds } });
    assert.deepEqual([refused.status, refused.problem.code], [400, 'VALIDATION_FAILED']);
    assert.equal((await as(outsider.jwt).markDone({ path: path(), body: { issueIds } })).status, 400);
    assert.deepEqual(await titles(), ['back.js', 'new.js']);
  });
});

describe('approvals', () => {
  const decide = (requestId: string, body: object, token?: string) =>
    as(token).decideException({ path: { ...path(), requestId }, body: { isApproved: true, ...body } });
  const stateOf = async (file: string) =>
    (
      await world.queryAsOwner<{ triage_state: string; triage_until: Date | null }>(
        'select triage_state, triage_until from finding where id = $1',
        [await idOf(file)],
      )
    )[0];

  test('list requests with the statistics of the rule to approvers', async () => {
    await requestException({ world, place }, await idOf('old.js'));
    const { body } = await as().listApprovals({ path: path() });
    assert.equal(body.requests.length, 1);
    const [request] = body.requests;
    assert.deepEqual(
      [request?.title, request?.requester, request?.reason, request?.sameRuleAsked, request?.sameRuleApproved],
      ['old', 'dev@example.com', 'FINDING_TRIAGE_REASON_NO_TIME', 1, 0],
    );
    assert.equal(await count('APPROVALS'), 1);
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.equal(await count('APPROVALS', reader.jwt), 0);
    assert.deepEqual((await as(reader.jwt).listApprovals({ path: path() })).body.requests, []);
    assert.deepEqual((await as(outsider.jwt).listApprovals({ path: path() })).body.requests, []);
  });

  test('approving ignores the finding as requested until its expiry and can be undone', async () => {
    const [request] = (await as().listApprovals({ path: path() })).body.requests;
    const until = new Date(Date.now() + 7 * DAY_MS).toISOString();
    const { status, body } = await decide(request?.requestId ?? '', { until, note: 'Fine for a week.' });
    assert.deepEqual([status, body.state], [200, 'APPROVED']);
    const found = await stateOf('old.js');
    assert.deepEqual([found?.triage_state, found?.triage_until?.toISOString()], ['ignored', until]);
    assert.equal(await count('APPROVALS'), 0);
    const expiring = (await as().getExpiring({ path: path() })).body;
    assert.deepEqual(
      expiring.decisions.map(({ issueId, reason, until: end }) => [issueId, reason, end]),
      [[await idOf('old.js'), 'FINDING_TRIAGE_REASON_NO_TIME', until]],
    );
    const undo = async (batchId: string) => {
      const batchPath = { deploymentId: place.id, batchId };
      return (await world.as(bulk, place.admin.jwt).undoBatch({ path: batchPath, body: {} })).body.batchId ?? '';
    };
    const undone = await undo(body.batchId ?? '');
    assert.deepEqual([(await stateOf('old.js'))?.triage_state, await count('APPROVALS')], ['untriaged', 1]);
    const again = await undo(undone);
    assert.deepEqual([(await stateOf('old.js'))?.triage_state, await count('APPROVALS')], ['ignored', 0]);
    await undo(again);
    const waiting = (await as().listApprovals({ path: path() })).body.requests;
    assert.deepEqual(
      waiting.map(({ requestId }) => requestId),
      [request?.requestId],
    );
    await decide(request?.requestId ?? '', { isApproved: false });
  });

  test('counts and lists include findings only on pull requests and removed findings', async () => {
    const [finding, requestId] = [await idOf('new.js'), await requestException({ world, place }, await idOf('new.js'))];
    await world.queryAsOwner(`update finding set triage_until = now() + interval '3 days' where id = $1`, [finding]);
    for (const state of ['elsewhere', 'removed']) {
      await world.queryAsOwner('update finding set state = $2 where id = $1', [finding, state]);
      assert.deepEqual([await count('APPROVALS'), await count('EXPIRING')], [1, 1], state);
      assert.deepEqual([await count('APPROVALS', outsider.jwt), await count('EXPIRING', outsider.jwt)], [0, 0]);
    }
    await world.queryAsOwner(`update finding set state = 'detected', triage_until = null where id = $1`, [finding]);
    await decide(requestId, { isApproved: false });
  });

  test('rejecting does not change the finding', async () => {
    const requestId = await requestException({ world, place }, await idOf('new.js'));
    const { body } = await decide(requestId, { isApproved: false, note: 'Fix it.' });
    assert.deepEqual([body.state, body.batchId], ['REJECTED', undefined]);
    assert.equal((await stateOf('new.js'))?.triage_state, 'untriaged');
    const past = { until: daysAgo(1).toISOString() };
    assert.equal((await decide(await requestException({ world, place }, await idOf('new.js')), past)).status, 400);
  });

  test('of two concurrent decisions one wins and the other gets the outcome', async () => {
    const requestId = await requestException({ world, place }, await idOf('back.js'));
    const answers = await Promise.all([
      decide(requestId, { isApproved: true }),
      decide(requestId, { isApproved: false }, other.jwt),
    ]);
    const [won] = answers.filter(({ status }) => status === 200);
    const [lost] = answers.filter(({ status }) => status === 409);
    assert.ok(won && lost);
    assert.deepEqual(
      [lost.problem.code, (lost.problem as { state?: string }).state],
      ['ALREADY_DECIDED', won.body.state],
    );
    const ignored = (await stateOf('back.js'))?.triage_state === 'ignored';
    assert.equal(ignored, won.body.state === 'APPROVED');
  });

  test('are not found without access to the finding or without triage permission', async () => {
    const requestId = await requestException({ world, place }, await idOf('back.js'));
    assert.equal((await decide(requestId, {}, outsider.jwt)).status, 404);
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.equal((await decide(requestId, {}, reader.jwt)).status, 403);
  });
});

describe('maintenance', () => {
  test('tokens that expire within 14 days are shown to callers who may list tokens', async () => {
    const { id } = await world.token(place, { expiresAt: new Date(Date.now() + 3 * DAY_MS) });
    await world.token(place, { expiresAt: new Date(Date.now() + 30 * DAY_MS) });
    const { decisions, tokens } = (await as().getExpiring({ path: path() })).body;
    assert.equal(await count('EXPIRING'), decisions.length + 1);
    assert.deepEqual(
      tokens.map((token) => token.id),
      [id],
    );
    const member = await world.member(place);
    assert.deepEqual((await as(member.jwt).getExpiring({ path: path() })).body.tokens, []);
  });

  test('lists failed scans without a later success and silent projects', async () => {
    const failing = await world.project(place, 'acme/failing');
    const mended = await world.project(place, 'acme/mended');
    const silent = await world.project(place, 'acme/silent');
    const fail = (scan: string) =>
      world.queryAsOwner(`update scan set status = 'error', exit_code = 2 where id = $1`, [scan]);
    const failed = await makeScan({ world, place }, failing);
    await fail(failed);
    await fail(await makeScan({ world, place }, mended));
    await makeScan({ world, place }, mended);
    await world.queryAsOwner(`update project set latest_scan_at = now() - interval '31 days' where id = $1`, [silent]);
    const before = await count('FAILING');
    const { scans, projects } = (await as().getFailing({ path: path() })).body;
    assert.deepEqual(
      scans.map(({ scanId, projectName, ref, reason }) => [scanId, projectName, ref, reason]),
      [[failed, 'acme/failing', 'main', 'The scanner failed with exit code 2.']],
    );
    assert.deepEqual(
      projects.map(({ projectName }) => projectName),
      ['acme/silent'],
    );
    assert.equal(before, 2);
    assert.deepEqual((await as(outsider.jwt).getFailing({ path: path() })).body, {
      scans: [],
      projects: [],
      heldClosings: [],
    });
  });

  test('lists scans whose closings are held, until another scan confirms them', async () => {
    const held = await ProjectScans.start(world, place);
    const all = Array.from({ length: 40 }, (_, index) => code('held', `src/file${index}.js`));
    await held.scan(all);
    const before = (await count('FAILING')) ?? 0;
    await held.scan([]);
    assert.equal(await count('FAILING'), before + 1);
    const list = async (token?: string) => (await as(token).getFailing({ path: path() })).body.heldClosings;
    assert.deepEqual(
      (await list()).map(({ projectId, ref, count: number }) => [projectId, ref, number]),
      [[held.project, 'main', 40]],
    );
    assert.deepEqual(await list(outsider.jwt), []);
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.deepEqual(await list(reader.jwt), []);
    await held.scan([]);
    assert.deepEqual(await list(), []);
  });
});
