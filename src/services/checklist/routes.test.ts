import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import { invitationMailer } from '#services/invitations/jobs.ts';
import * as issues from '#services/issues/bulk/contract.ts';
import * as notifications from '#services/notifications/contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as users from '#services/users/contract.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { Mailbox } from '#test/support/world/mailbox.ts';
import { PASSWORD, type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const HOUR_MS = 3_600_000;

let world: World;
let mailing: World;
let mailbox: Mailbox;
let worker: JobWorker;

before(async () => {
  mailbox = await Mailbox.open();
  world = await World.start();
  mailing = await World.start({ PARAPET_SMTP_URL: mailbox.url, PARAPET_MAIL_FROM: 'Parapet <parapet@example.com>' });
  const { db, services } = mailing.assembly;
  worker = new JobWorker({
    db,
    connection: mailing.database.connection,
    handlers: [invitationMailer(services)],
    log: makeLog('silent'),
    workerId: 'test',
    timing: { pollMs: 50 },
  });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
  await mailing.stop();
  await mailbox.close();
});

const path = (place: TestDeployment) => ({ deploymentId: place.id });
const stateOf = async (place: TestDeployment, type: contract.ChecklistTaskType, jwt = place.admin.jwt) => {
  const { body } = await world.as(contract, jwt).getChecklistStatus({ path: path(place) });
  return body.taskStatus.find((one) => one.type === type)?.state;
};
const patch = (place: TestDeployment, jwt: string, ...taskStatus: contract.ChecklistTaskChange[]) =>
  world.as(contract, jwt).patchChecklist({ path: path(place), body: { taskStatus } });

describe('the checklist', () => {
  test('is completed by members, scans and CI tokens', async () => {
    const place = await world.deployment();
    const states = () =>
      Promise.all(
        (['ADD_TEAM_MEMBER', 'SCAN_CODE', 'SET_UP_RECURRING_SCAN', 'TRIAGE_FIRST_PARTY'] as const).map((task) =>
          stateOf(place, `TASK_TYPE_${task}`),
        ),
      );
    const [done, open, locked] = ['TASK_STATE_COMPLETE', 'TASK_STATE_INCOMPLETE', 'TASK_STATE_LOCKED'];
    assert.deepEqual(await states(), [open, open, open, locked]);
    await world.member(place);
    await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI' });
    const project = await world.project(place);
    assert.deepEqual(await states(), [done, open, done, locked]);
    await world.queryAsOwner('update project set latest_scan_at = now() where id = $1', [project]);
    assert.deepEqual(await states(), [done, done, done, open]);
  });

  test('is completed by the first triage decision, separately for code and dependencies', async () => {
    const place = await world.deployment();
    const scanning = await ProjectScans.start(world, place);
    await scanning.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(x)' })]);
    const states = () =>
      Promise.all([stateOf(place, 'TASK_TYPE_TRIAGE_FIRST_PARTY'), stateOf(place, 'TASK_TYPE_TRIAGE_DEPENDENCY')]);
    assert.deepEqual(await states(), ['TASK_STATE_INCOMPLETE', 'TASK_STATE_INCOMPLETE']);
    const { status } = await world.as(issues, place.admin.jwt).bulkUpdateIssues({
      path: path(place),
      body: { q: 'is:open', params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING' } },
    });
    assert.equal(status, 200);
    assert.deepEqual(await states(), ['TASK_STATE_COMPLETE', 'TASK_STATE_INCOMPLETE']);
  });

  test('is marked manually for tasks without facts, per organization and per account', async () => {
    const place = await world.deployment();
    const member = await world.member(place);
    const state = 'TASK_STATE_COMPLETE';
    await patch(place, place.admin.jwt, { type: 'TASK_TYPE_CUSTOMIZE_RULES', state });
    await patch(place, member.jwt, { type: 'TASK_TYPE_COMPLETE_TOUR', state });
    assert.equal(await stateOf(place, 'TASK_TYPE_CUSTOMIZE_RULES', member.jwt), state);
    assert.equal(await stateOf(place, 'TASK_TYPE_COMPLETE_TOUR', member.jwt), state);
    assert.equal(await stateOf(place, 'TASK_TYPE_COMPLETE_TOUR'), 'TASK_STATE_INCOMPLETE');
    await patch(place, member.jwt, { type: 'TASK_TYPE_COMPLETE_TOUR', state: 'TASK_STATE_INCOMPLETE' });
    assert.equal(await stateOf(place, 'TASK_TYPE_COMPLETE_TOUR', member.jwt), 'TASK_STATE_INCOMPLETE');
  });

  test('members cannot mark tasks of the organization, and callers without permissions cannot mark any', async () => {
    const place = await world.deployment();
    const state = 'TASK_STATE_COMPLETE';
    const member = await world.member(place);
    const idle = await world.member(place, 'ORG_ROLE_IMPERSONATOR');
    const refused = [
      await patch(place, member.jwt, { type: 'TASK_TYPE_CUSTOMIZE_RULES', state }),
      await patch(place, idle.jwt, { type: 'TASK_TYPE_COMPLETE_TOUR', state }),
    ];
    assert.deepEqual(
      refused.map(({ problem }) => problem.code),
      ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
    );
    assert.equal(await stateOf(place, 'TASK_TYPE_CUSTOMIZE_RULES'), 'TASK_STATE_INCOMPLETE');
  });

  test('changes completely or not at all', async () => {
    const place = await world.deployment();
    const state = 'TASK_STATE_COMPLETE';
    const { problem } = await patch(
      place,
      place.admin.jwt,
      { type: 'TASK_TYPE_CUSTOMIZE_RULES', state },
      { type: 'TASK_TYPE_TRIAGE_DEPENDENCY', state },
    );
    assert.equal(problem.code, 'CHECKLIST_REFUSED');
    assert.deepEqual([problem.errors[0]?.pointer, problem.errors[0]?.code], ['#/taskStatus/1', 'TASK_LOCKED']);
    assert.equal(await stateOf(place, 'TASK_TYPE_CUSTOMIZE_RULES'), 'TASK_STATE_INCOMPLETE');
  });
});

const invite = (where: World, place: TestDeployment, ...emails: string[]) =>
  where.as(contract, place.admin.jwt).inviteMembers({ path: path(place), body: { emails } });
const tokenIn = (text: string) => /#t=(pin_[\w-]{43})/.exec(text)?.[1] ?? '';
const newEmail = () => `${uniqueName('guest')}@example.com`;
const accept = (where: World, token: string, password = 'a long enough sentence') =>
  where.as(sessions).acceptInvitation({ body: { token, name: 'Grace', password } });

/** If the server sends no mail, the message contains the link. */
async function invitedTo(place: TestDeployment, email = newEmail()): Promise<string> {
  return tokenIn((await invite(world, place, email)).body.message);
}

describe('an invitation', () => {
  test('is mailed with a link that grants the default role', async () => {
    const place = await mailing.deployment('Acme');
    const [email, other] = [newEmail(), newEmail()];
    const { body } = await invite(mailing, place, email, other);
    assert.equal(body.message, '2 people invited.');
    const letters = await mailbox.expect(2);
    assert.deepEqual(letters.flatMap(({ to }) => to).sort(), [email, other].sort());
    const letter =
      letters
        .find(({ to }) => to.includes(email))
        ?.text.replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=') ?? '';
    assert.match(letter, /Subject: Join Acme on Parapet/);
    assert.ok(letter.includes(`${mailing.baseUrl}/invitation#t=`));
    const accepted = await accept(mailing, tokenIn(letter));
    assert.equal(accepted.status, 200);
    assert.equal(accepted.body.user.email, email);
    const { body: mine } = await mailing.as(users, accepted.body.accessToken).listUserOrgs({});
    assert.deepEqual(
      mine.orgs.map(({ id }) => id),
      [place.id],
    );
    const [row] = await mailing.queryAsOwner<{ role: string }>('select role from membership where account_id = $1', [
      accepted.body.user.id,
    ]);
    assert.equal(row?.role, 'ORG_ROLE_READONLY');
  });

  test('is in the database only as a keyed hash, in no table and no queue (SEC-02)', async () => {
    const place = await mailing.deployment();
    await invite(mailing, place, newEmail());
    const [letter] = await mailbox.expect(1);
    const token = tokenIn(letter?.text.replace(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '');
    assert.ok(token);
    const tables = await mailing.queryAsOwner<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    for (const { name } of tables) {
      const rows = await mailing.queryAsOwner(`select from ${name} as row where row::text like $1`, [
        `%${token.slice(4)}%`,
      ]);
      assert.equal(rows.length, 0, name);
    }
  });

  test('is returned to the administrator if the server sends no mail', async () => {
    const place = await world.deployment();
    const email = newEmail();
    const { body } = await invite(world, place, email);
    assert.match(body.message, /^1 person invited\.\nThis server sends no mail: hand over/);
    assert.ok(body.message.includes(`${email}: ${world.baseUrl}/invitation#t=pin_`));
    assert.equal((await accept(world, tokenIn(body.message))).body.user.email, email);
  });

  test('skips members, and inviting only members is not an error', async () => {
    const place = await world.deployment();
    const member = await world.member(place);
    const { body } = await invite(world, place, member.email.toUpperCase());
    assert.equal(body.message, 'Nobody was invited.\n1 person already here.');
  });

  test('is for 1 to 20 different addresses per request', async () => {
    const place = await world.deployment();
    const many = (count: number) => Array.from({ length: count }, newEmail);
    assert.equal((await invite(world, place, ...many(20))).status, 200);
    for (const emails of [
      [],
      many(21),
      ['a@example.com', 'A@Example.com'],
      ['no address'],
      ['a@b.example, c@d.example'],
    ])
      assert.equal((await invite(world, place, ...emails)).status, 400);
    const nested = { emails: [['a@example.com']] } as unknown as { emails: string[] };
    const answer = await world.as(contract, place.admin.jwt).inviteMembers({ path: path(place), body: nested });
    assert.equal(answer.status, 400);
  });

  test('that cannot be mailed is retried, and finally the administrators are notified', async () => {
    const place = await mailing.deployment();
    const email = newEmail();
    mailbox.refusal = 'Mailbox is full';
    await invite(mailing, place, email);
    const [row] = await mailing.queryAsOwner<{ id: string }>('select id from invitation where email = $1', [email]);
    const attempt = (number: number) =>
      invitationMailer(mailing.assembly.services).run({
        payload: { invitation: row?.id },
        deployment: place.id,
        attempt: number,
        signal: new AbortController().signal,
        read: (work) => mailing.inDeployment(place, work),
        transact: (work) => mailing.inDeployment(place, work),
      });
    await assert.rejects(attempt(1), /Mailbox is full/);
    await attempt(12);
    mailbox.refusal = '';
    const told = await mailing
      .as(notifications, place.admin.jwt)
      .getNotifications({ path: { deploymentId: place.id } });
    assert.deepEqual(
      told.body.notifications.map(({ title }) => title),
      [`The invitation of ${email} could not be mailed`],
    );
    await mailbox.expect(1);
  });

  test('is created only by administrators, and never by a token', async () => {
    const place = await world.deployment();
    const member = await world.member(place);
    const body = { emails: [newEmail()] };
    const byMember = await world.as(contract, member.jwt).inviteMembers({ path: path(place), body });
    assert.equal(byMember.problem.code, 'PERMISSION_DENIED');
  });
});

describe('accepting (TOK-13)', () => {
  test('works once: of 50 concurrent attempts exactly one succeeds (CON-04)', async () => {
    const token = await invitedTo(await world.deployment());
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(world, token)));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses.filter((status) => status >= 400 && status < 500).length, 49);
    assert.equal((await accept(world, token)).problem.code, 'INVITATION_REFUSED');
  });

  test('fails after 24 hours, and after a newer invitation of the same address', async () => {
    const place = await world.deployment();
    const email = newEmail();
    const first = await invitedTo(place, email);
    const second = await invitedTo(place, email.toUpperCase());
    assert.equal((await accept(world, first)).problem.code, 'INVITATION_REFUSED');
    world.clockOffsetMs = 24 * HOUR_MS + 1000;
    assert.equal((await accept(world, second)).problem.code, 'INVITATION_REFUSED');
    world.clockOffsetMs = 24 * HOUR_MS - 60_000;
    assert.equal((await accept(world, second)).status, 200);
    world.clockOffsetMs = 0;
  });

  test('fails if the inviter is no longer an administrator', async () => {
    const place = await world.deployment();
    const leaver = await world.member(place, 'ORG_ROLE_ADMIN');
    const { body } = await world
      .as(contract, leaver.jwt)
      .inviteMembers({ path: path(place), body: { emails: [newEmail()] } });
    await world.queryAsOwner("update membership set role = 'ORG_ROLE_MEMBER' where account_id = $1", [leaver.id]);
    assert.equal((await accept(world, tokenIn(body.message))).problem.code, 'INVITATION_REFUSED');
  });

  test('is bound to the invited address: other members of the body are ignored, and lists are refused', async () => {
    const place = await world.deployment();
    const email = newEmail();
    const token = await invitedTo(place, email);
    const send = (body: string) =>
      fetch(`${world.baseUrl}/api/auth/invitations/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const rest = '"name":"Eve","password":"a long enough sentence"';
    assert.equal((await send(`{"token":["${token}"],${rest}}`)).status, 400);
    assert.equal((await send(`{"token":"${token}","token":"${token}",${rest}}`)).status, 400);
    const answer = await send(`{"token":"${token}","email":"eve@example.com",${rest}}`);
    const { user } = (await answer.json()) as { user: { email: string } };
    assert.equal(user.email, email);
  });

  test('with an existing account requires its password, and ends its other sessions', async () => {
    const place = await world.deployment();
    const known = await world.signIn(await world.account());
    const token = await invitedTo(place, known.email);
    assert.equal((await accept(world, token)).problem.code, 'SIGN_IN_REFUSED');
    assert.equal((await world.as(users, known.jwt).getUser({})).status, 200);
    const accepted = await accept(world, token, PASSWORD);
    assert.equal(accepted.status, 200);
    assert.equal(accepted.body.user.id, known.id);
    assert.equal((await world.as(users, known.jwt).getUser({})).status, 401);
  });

  test('of two deployments concurrently creates one account, which joins both', async () => {
    const [one, other] = [await world.deployment(), await world.deployment()];
    const email = newEmail();
    const tokens = [await invitedTo(one, email), await invitedTo(other, email)];
    const answers = await Promise.all(tokens.map((token) => accept(world, token)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const ids = new Set(answers.map(({ body }) => body.user.id));
    assert.equal(ids.size, 1);
    const rows = await world.queryAsOwner('select from membership where account_id = $1', [[...ids][0]]);
    assert.equal(rows.length, 2);
  });

  test('enforces the password length, and a refusal does not consume the invitation', async () => {
    const token = await invitedTo(await world.deployment());
    assert.equal((await accept(world, token, 'short')).problem.code, 'PASSWORD_TOO_WEAK');
    assert.equal((await accept(world, token)).status, 200);
  });

  test('is recorded in the audit trail of the joined deployment', async () => {
    const place = await world.deployment();
    const { body } = await accept(world, await invitedTo(place));
    const rows = await world.queryAsOwner(
      'select from audit_record where deployment_id = $1 and operation = $2 and actor = $3',
      [place.id, 'SessionsService.acceptInvitation', body.user.id],
    );
    assert.equal(rows.length, 1);
  });
});
