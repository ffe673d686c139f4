import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import * as users from '#services/users/contract.ts';
import { resetTokenOf } from '#test/support/factories/people.ts';
import { Mailbox } from '#test/support/world/mailbox.ts';
import { PASSWORD, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './account-contract.ts';
import * as sessions from './contract.ts';
import { resetMailer } from './reset-mail.ts';

const NEW = 'another long sentence';

let world: World;
let mailbox: Mailbox;
let worker: JobWorker;
before(async () => {
  mailbox = await Mailbox.open();
  world = await World.start({ PARAPET_SMTP_URL: mailbox.url });
  const { db, services } = world.assembly;
  const handlers = [resetMailer(services)];
  const { connection } = world.database;
  worker = new JobWorker({
    db,
    connection,
    handlers,
    log: makeLog('silent'),
    workerId: 'test',
    timing: { pollMs: 50 },
  });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
  await mailbox.close();
});

const me = (person: TestUser) => world.as(contract, person.jwt);
const statusOf = async (person: TestUser) => (await world.as(users, person.jwt).getUser({})).status;
const signIn = async (email: string, password: string) =>
  (await world.as(sessions).createSession({ body: { email, password } })).status;
const change = (person: TestUser, currentPassword: string, newPassword = NEW) =>
  me(person).changePassword({ body: { currentPassword, newPassword } });

describe('changing the password', () => {
  test('needs the current one, ends other sessions, and is audited', async () => {
    const person = await world.signIn(await world.account());
    const elsewhere = await world.signIn(person);
    const wrong = await change(person, 'not the password');
    assert.deepEqual([wrong.status, wrong.problem.code], [403, 'PASSWORD_WRONG']);
    assert.equal((await change(person, PASSWORD, 'short')).problem.code, 'PASSWORD_TOO_WEAK');
    assert.equal((await change(person, PASSWORD)).status, 200);
    assert.deepEqual([await statusOf(person), await statusOf(elsewhere)], [200, 401]);
    assert.deepEqual([await signIn(person.email, PASSWORD), await signIn(person.email, NEW)], [401, 200]);
    const records = await world.queryAsOwner<{ result: string }>(
      `select result from audit_record where operation = 'AccountService.changePassword' and object = $1 order by id`,
      [`account/${person.id}`],
    );
    assert.deepEqual(
      records.map(({ result }) => result),
      ['PASSWORD_WRONG', '200'],
    );
  });

  test('guesses of the current password are limited like sign-ins', async () => {
    const person = await world.signIn(await world.account());
    const replies = await Promise.all(Array.from({ length: 20 }, () => change(person, 'not the password')));
    assert.equal(replies.filter(({ status }) => status === 403).length, 5);
    assert.equal(replies.filter(({ status }) => status === 429).length, 15);
  });

  test('makes known devices strangers again', async () => {
    const person = await world.signIn(await world.account());
    const body = { email: person.email, password: PASSWORD };
    const reply = await world.as(sessions).createSession({ body });
    const cookie = reply.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    await change(person, PASSWORD);
    const guess = () => world.as(sessions).createSession({ body: { ...body, password: 'wrong' }, headers: { cookie } });
    const replies = await Promise.all(Array.from({ length: 8 }, guess));
    assert.equal(replies.filter(({ status }) => status === 401).length, 5);
  });
});

describe('sessions', () => {
  test('are listed with the current one, and end one by one or all others', async () => {
    const account = await world.account();
    const [current, one, other] = [
      await world.signIn(account),
      await world.signIn(account),
      await world.signIn(account),
    ];
    const idsOf = async (includeEnded: boolean) =>
      (await me(current).listSessions({ query: { includeEnded } })).body.sessions.map(({ id }) => id);
    const { body } = await me(current).listSessions({});
    assert.deepEqual(
      body.sessions.map(({ id, current: isCurrent }) => [id, isCurrent]),
      [
        [other.session, false],
        [one.session, false],
        [current.session, true],
      ],
    );
    assert.deepEqual([body.sessions[0]?.address, body.sessions[0]?.userAgent], ['127.0.0.1', 'test']);
    const stranger = await world.signIn(await world.account());
    assert.equal((await me(stranger).endSession({ path: { sessionId: one.session } })).status, 404);
    assert.equal((await me(current).endSession({ path: { sessionId: one.session } })).status, 200);
    assert.equal((await me(current).endSession({ path: { sessionId: one.session } })).status, 404);
    assert.deepEqual([await statusOf(one), await statusOf(other)], [401, 200]);
    assert.equal((await me(current).endOtherSessions({})).body.ended, 1);
    assert.deepEqual([await statusOf(current), await statusOf(other), await statusOf(stranger)], [200, 401, 200]);
    assert.deepEqual(await idsOf(false), [current.session]);
    assert.deepEqual(await idsOf(true), [other.session, one.session, current.session]);
  });
});

describe('a password reset', () => {
  const ask = (email: string) => world.as(contract).requestPasswordReset({ body: { email } });
  const complete = (token: string, password = NEW) =>
    world.as(contract).completePasswordReset({ body: { token, password } });

  test('is mailed to the account, works once, ends all sessions and signs in (TOK-13)', async () => {
    const person = await world.signIn(await world.account());
    const replies = [await ask(person.email.toUpperCase()), await ask(`${uniqueName('nobody')}@example.com`)];
    for (const { status, body } of replies) assert.deepEqual([status, body], [200, {}]);
    const [letter] = await mailbox.expect(1);
    assert.deepEqual(letter?.to, [person.email]);
    const text = letter?.text.replace(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '';
    const token = /reset-password#t=(prs_[\w-]+)/.exec(text)?.[1] ?? '';
    const stored = await world.queryAsOwner('select from job as t where t::text like $1', [`%${token.slice(4, 40)}%`]);
    assert.equal(stored.length, 0);
    assert.equal((await complete(token, 'short')).problem.code, 'PASSWORD_TOO_WEAK');
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(token)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ problem }) => problem?.code === 'RESET_REFUSED').length, 9);
    assert.deepEqual([await statusOf(person), await signIn(person.email, NEW)], [401, 200]);
  });

  test('expires, is bound to the password, and is refused if it was changed', async () => {
    const place = await world.deployment();
    const first = await resetTokenOf(world, place.admin.id);
    world.clockOffsetMs = 61_000;
    assert.equal((await complete(first)).problem.code, 'RESET_REFUSED');
    world.clockOffsetMs = 0;
    const second = await resetTokenOf(world, place.admin.id);
    assert.equal((await complete(`${second.slice(0, -2)}xx`)).problem.code, 'RESET_REFUSED');
    await change(place.admin, PASSWORD);
    assert.equal((await complete(second)).problem.code, 'RESET_REFUSED');
  });

  test('is mailed at most three times an hour to an address, whether it has an account or not', async () => {
    for (const email of [(await world.account()).email, `${uniqueName('nobody')}@example.com`]) {
      const replies = await Promise.all(Array.from({ length: 6 }, () => ask(email)));
      assert.equal(replies.filter(({ status }) => status === 200).length, 3);
    }
    await mailbox.expect(3);
  });
});
