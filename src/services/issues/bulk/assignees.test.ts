import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as inbox from '#services/inbox/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as list from '../list/contract.ts';
import * as views from '../views/contract.ts';
import * as bulk from './contract.ts';

let world: World;
let place: TestDeployment;
let grace: TestUser;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  grace = await world.member(place);
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(
    ['a', 'b', 'c', 'd'].map((name) =>
      makeReportedFinding({ rule: name, path: `${name}.js`, line: 1, code: name, more: { title: name } }),
    ),
  );
});
after(() => world.stop());

const nameOf = ({ email }: TestUser) => email.split('@')[0];
const path = () => ({ deploymentId: place.id });
const assign = (q: string, assignee: string, token = place.admin.jwt) =>
  world.as(bulk, token).bulkUpdateIssues({ path: path(), body: { q, params: { assignee } } });

async function titles(q: string, token = place.admin.jwt): Promise<string[]> {
  const { body, status, problem } = await world.as(list, token).listIssues({ path: path(), body: { q } });
  assert.equal(status, 200, JSON.stringify(problem));
  return body.issues.map(({ issue }) => issue.ruleDisplayName).sort();
}

const historyOf = async (q: string) => {
  const { body } = await world.as(list, place.admin.jwt).listIssues({
    path: path(),
    body: { q, includeActivityHistory: true },
  });
  return body.issues[0]?.issue.activityHistory.map(({ title }) => title);
};

test('findings are assigned by address, id or word, filtered by it, and undone with their batch', async () => {
  const { body } = await assign('rule:a,b', grace.email.toUpperCase());
  assert.deepEqual([body.updatedCount, body.issueParentCount], [2, 2]);
  assert.equal((await assign('rule:a,b', grace.id)).body.updatedCount, 0, 'repeating it changes nothing');
  await assign('rule:c', 'me');
  assert.deepEqual(await titles(`assignee:${grace.email}`), ['a', 'b']);
  assert.deepEqual(await titles('assignee:me'), ['c']);
  assert.deepEqual(await titles('assignee:me', grace.jwt), ['a', 'b']);
  assert.deepEqual(await titles('assignee:none'), ['d']);
  assert.deepEqual(await titles('-assignee:none'), ['a', 'b', 'c']);
  assert.deepEqual(await titles(`assignee:none,${grace.email}`), ['a', 'b', 'd']);
  const { batchId = '' } = (await assign('rule:a', 'none')).body;
  assert.deepEqual(await titles('assignee:none'), ['a', 'd']);
  assert.deepEqual(await historyOf('rule:a'), ['Assigned to nobody', `Assigned to ${nameOf(grace)}`, 'First detected']);
  await world.as(bulk, place.admin.jwt).undoBatch({ path: { ...path(), batchId }, body: {} });
  assert.deepEqual(await titles('assignee:me', grace.jwt), ['a', 'b']);
});

test('an assignment survives decisions, and a decision survives an assignment', async () => {
  const params = { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: 'Looking.' } as const;
  await world.as(bulk, place.admin.jwt).bulkUpdateIssues({ path: path(), body: { q: 'rule:d', params } });
  await assign('rule:d', 'me');
  const { body } = await world.as(list, place.admin.jwt).listIssues({ path: path(), body: { q: 'rule:d' } });
  const issue = body.issues[0]?.issue;
  assert.deepEqual(
    [issue?.triageState, issue?.note, issue?.assignee?.email],
    ['FINDING_TRIAGE_STATE_REVIEWING', 'Looking.', place.admin.email],
  );
  await world.as(bulk, place.admin.jwt).bulkUpdateIssues({
    path: path(),
    body: { q: 'rule:d', params: { triageState: 'FINDING_TRIAGE_STATE_FIXING' } },
  });
  assert.deepEqual(await titles('assignee:me is:to-fix'), ['d']);
});

test('the inbox lists what is assigned to the caller and not done, and facets count by assignee', async () => {
  const { body } = await world.as(inbox, grace.jwt).listAssigned({ path: { deployment: place.id } });
  assert.deepEqual(body.issues.map(({ title }) => title).sort(), ['a', 'b']);
  const { tabs } = (await world.as(inbox, grace.jwt).getInbox({ path: { deployment: place.id } })).body;
  assert.deepEqual(tabs.find(({ tab }) => tab === 'ASSIGNED')?.count, 2);
  const facets = async (q: string) => {
    const reply = await world.as(views, grace.jwt).getIssueFacets({ path: path(), body: { q, keys: ['assignee'] } });
    return reply.body.facets[0]?.values.map(({ value, label, count }) => `${value} ${label} ${count}`);
  };
  const admin = place.admin.email.toLowerCase();
  assert.deepEqual(
    (await facets('rule:a,b,c'))?.sort(),
    [`${admin} ${nameOf(place.admin)} 1`, `me ${nameOf(grace)} 2`].sort(),
  );
  assert.deepEqual(await facets('rule:a assignee:none'), [`me ${nameOf(grace)} 1`, 'none None 0']);
});

test('only active members can be assigned, only by those who may triage', async () => {
  const stranger = await world.account();
  const token = await world.token(place);
  for (const [assignee, by] of [
    [stranger.email, place.admin.jwt],
    [stranger.id, place.admin.jwt],
    ['nobody@example.com', place.admin.jwt],
    ['0', place.admin.jwt],
    ['me', token.text],
  ] as const)
    assert.equal((await assign('rule:a', assignee, by)).problem.errors[0]?.pointer, '#/params/assignee', assignee);
  const reader = await world.member(place, 'ORG_ROLE_READONLY');
  assert.equal((await assign('rule:a', 'me', reader.jwt)).problem.code, 'PERMISSION_DENIED');
});

test('who leaves the deployment has no findings any more', async () => {
  await world.queryAsOwner('delete from membership where deployment_id = $1 and account_id = $2', [place.id, grace.id]);
  assert.deepEqual(await titles('assignee:none'), ['a', 'b']);
});
