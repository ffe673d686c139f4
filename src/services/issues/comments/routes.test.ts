import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as notifications from '#services/notifications/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as list from '../list/contract.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let grace: TestUser;
let outsider: TestUser;
let issue: string;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  grace = await world.member(place, 'ORG_ROLE_ADMIN');
  outsider = await world.memberWithoutTeam(place);
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan([makeReportedFinding({ rule: 'a', path: 'a.js', line: 1, code: 'a' })]);
  const { body } = await world.as(list, place.admin.jwt).listIssues({ path: { deploymentId: place.id }, body: {} });
  issue = body.issues[0]?.issue.id ?? '';
});
after(() => world.stop());

const as = (person: TestUser) => world.as(contract, person.jwt);
const path = () => ({ deploymentId: place.id, issueId: issue });
const own = (commentId: string) => ({ deploymentId: place.id, commentId });
const write = async (person: TestUser, text: string) =>
  (await as(person).createIssueComment({ path: path(), body: { text } })).body.comment;
const texts = async (person = place.admin) =>
  (await as(person).listIssueComments({ path: path() })).body.comments.map(({ text }) => text);
const noticesOf = async ({ jwt }: TestUser) =>
  (await world.as(notifications, jwt).getNotifications({ path: { deploymentId: place.id } })).body.notifications.filter(
    ({ title }) => title.endsWith('mentioned you'),
  );

test('comments are a thread, and only their author changes or deletes them', async () => {
  const first = await write(place.admin, '  Is this still used?  ');
  const second = await write(grace, 'No.');
  assert.deepEqual([first.text, first.isOwn, second.editedAt], ['Is this still used?', true, undefined]);
  const { comments } = (await as(place.admin).listIssueComments({ path: path() })).body;
  assert.deepEqual(
    comments.map(({ text, isOwn }) => [text, isOwn]),
    [
      ['Is this still used?', true],
      ['No.', false],
    ],
  );
  const change = (person: TestUser) =>
    as(person).updateIssueComment({ path: own(second.id), body: { text: 'Not any more.' } });
  assert.equal((await change(place.admin)).status, 404);
  assert.ok((await change(grace)).body.comment.editedAt);
  assert.equal((await as(place.admin).deleteIssueComment({ path: own(second.id) })).status, 404);
  assert.deepEqual(await texts(), ['Is this still used?', 'Not any more.']);
  assert.equal((await as(place.admin).deleteIssueComment({ path: own(first.id) })).status, 200);
  assert.deepEqual(await texts(), ['Not any more.']);
});

test('the history of an issue has its comments', async () => {
  const { body } = await world.as(list, place.admin.jwt).listIssues({
    path: { deploymentId: place.id },
    body: { includeActivityHistory: true },
  });
  const entry = body.issues[0]?.issue.activityHistory[0];
  assert.deepEqual([entry?.title, entry?.note, entry?.actor], ['Commented', 'Not any more.', grace.email]);
});

test('who is mentioned is notified once, without a word about the issue, and never about themselves', async () => {
  const comment = await write(grace, `@${place.admin.email} @${grace.email} @${outsider.email} @stranger@example.com`);
  await as(grace).updateIssueComment({
    path: own(comment.id),
    body: { text: `@${place.admin.email} please look, @${place.admin.email.toUpperCase()}` },
  });
  const [notice, ...more] = await noticesOf(place.admin);
  assert.deepEqual([notice?.link, more.length], [`/o/${place.slug}/findings/${issue}?tab=history`, 0]);
  assert.equal((await noticesOf(grace)).length, 0);
  const [hidden] = await noticesOf(outsider);
  assert.equal(hidden?.description, `In a comment on ISS-${issue}.`);
});

test('who does not see the issue neither reads nor writes about it', async () => {
  const comment = await write(place.admin, 'Secret.');
  assert.equal((await as(outsider).listIssueComments({ path: path() })).status, 404);
  assert.equal((await as(outsider).createIssueComment({ path: path(), body: { text: 'x' } })).status, 404);
  assert.equal((await as(outsider).deleteIssueComment({ path: own(comment.id) })).status, 404);
  for (const text of ['', '   ', 'x'.repeat(10_001)])
    assert.equal((await as(grace).createIssueComment({ path: path(), body: { text } })).status, 400);
});

test('comments that many write at once do not exceed the limit (CON-04)', async () => {
  await world.queryAsOwner(
    `insert into finding_comment (deployment_id, finding_id, author, author_name, text, created_at)
     select $1, $2, 'account:0', 'x', 'x', now() from generate_series(1, $3 - 3 -
       (select count(*)::int from finding_comment where finding_id = $2))`,
    [place.id, issue, contract.MAX_COMMENTS],
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => as(grace).createIssueComment({ path: path(), body: { text: 'more' } })),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 3);
  assert.deepEqual(
    [...new Set(replies.filter(({ status }) => status !== 200).map(({ problem }) => problem.code))],
    ['COMMENT_QUOTA'],
  );
});
