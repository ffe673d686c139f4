import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as account from '#services/sessions/account-contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as users from '#services/users/contract.ts';
import { resetTokenOf } from '#test/support/factories/people.ts';
import { codeOf } from '#test/support/factories/second-factor.ts';
import { PASSWORD, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const PERIOD_MS = 30_000;

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const me = (person: TestUser) => world.as(contract, person.jwt);
const signIn = (email: string, more: { password?: string; code?: string } = {}) =>
  world.as(sessions).createSession({ body: { email, password: PASSWORD, ...more } });
const outcome = ({ status, problem }: { status: number; problem: { code?: string } }) =>
  status === 200 ? '200' : `${status} ${problem.code}`;
/** Moves the clock of the server to the next code, because each is accepted once. */
const nextCode = (secret: string) => {
  world.clockOffsetMs += PERIOD_MS;
  return codeOf(secret, new Date(Date.now() + world.clockOffsetMs));
};

async function enrolled() {
  const person = await world.signIn(await world.account());
  const begun = await me(person).beginSecondFactor({ body: { password: PASSWORD } });
  const { secret, uri } = begun.body;
  const confirmed = await me(person).confirmSecondFactor({ body: { code: nextCode(secret) } });
  return { person, secret, uri, recoveryCodes: confirmed.body.recoveryCodes };
}

test('an app counts once it is confirmed; then a password alone does not sign in', async () => {
  const person = await world.signIn(await world.account());
  const elsewhere = await world.signIn(person);
  const wrong = await me(person).beginSecondFactor({ body: { password: 'not the password' } });
  assert.equal(outcome(wrong), '403 PASSWORD_WRONG');
  const { secret, uri } = (await me(person).beginSecondFactor({ body: { password: PASSWORD } })).body;
  assert.match(uri, /^otpauth:\/\/totp\/Parapet:.*secret=/);
  assert.equal(outcome(await signIn(person.email)), '200', 'not confirmed yet');
  assert.equal(
    outcome(await me(person).confirmSecondFactor({ body: { code: '000000' } })),
    '403 SECOND_FACTOR_REFUSED',
  );
  const { status, body } = await me(person).confirmSecondFactor({ body: { code: nextCode(secret) } });
  assert.deepEqual([status, body.recoveryCodes.length], [200, 10]);
  assert.equal((await world.as(users, elsewhere.jwt).getUser({})).status, 401, 'other sessions end');
  assert.equal(outcome(await signIn(person.email)), '403 SECOND_FACTOR_REQUIRED');
  assert.equal(outcome(await signIn(person.email, { password: 'wrong' })), '401 SIGN_IN_REFUSED');
  assert.equal(
    outcome(await signIn(person.email, { password: 'wrong', code: nextCode(secret) })),
    '401 SIGN_IN_REFUSED',
  );
  assert.equal(outcome(await signIn(person.email, { code: nextCode(secret) })), '200');
  assert.equal(
    outcome(await me(person).beginSecondFactor({ body: { password: PASSWORD } })),
    '409 SECOND_FACTOR_PRESENT',
  );
  const [stored] = await world.queryAsOwner<{ text: string }>('select account_totp::text as text from account_totp');
  assert.ok(!stored?.text.includes(secret));
});

test('each code and each recovery code is accepted once, however many ask at once', async () => {
  const { person, secret, recoveryCodes } = await enrolled();
  for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(person.email, { code })));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1, code);
    world.clockOffsetMs += 60_000;
  }
  const { body } = await me(await world.signIn(person)).getSecondFactor({});
  assert.deepEqual([body.enabled, body.recoveryCodesLeft], [true, 9]);
  const spelled = recoveryCodes[1]?.toUpperCase().replaceAll('-', ' ') ?? '';
  assert.equal(outcome(await signIn(person.email, { code: spelled })), '200');
});

test('guesses of codes are limited, also with the correct password (TOK-14)', async () => {
  const { person } = await enrolled();
  world.clockOffsetMs += 60_000;
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => signIn(person.email, { code: `${100000 + n}` })),
  );
  const checked = replies.filter((reply) => outcome(reply) === '403 SECOND_FACTOR_REFUSED').length;
  assert.ok(checked > 0 && checked <= 10, `${checked} were checked`);
  assert.equal(replies.filter(({ status }) => status === 429).length, 30 - checked);
});

test('a reset link does not replace the second factor', async () => {
  world.clockOffsetMs = 0;
  const { person, recoveryCodes } = await enrolled();
  const token = await resetTokenOf(world, person.id);
  const complete = (more: { code?: string } = {}) =>
    world.as(account).completePasswordReset({ body: { token, password: 'another long sentence', ...more } });
  assert.equal(outcome(await complete()), '403 SECOND_FACTOR_REQUIRED');
  assert.equal(outcome(await complete({ code: '000000' })), '403 SECOND_FACTOR_REFUSED');
  assert.equal(outcome(await signIn(person.email)), '403 SECOND_FACTOR_REQUIRED', 'the old password is kept');
  assert.equal(outcome(await complete({ code: recoveryCodes[0] ?? '' })), '200');
});

test('removing the app and new recovery codes need the password and a code', async () => {
  const { person, secret, recoveryCodes } = await enrolled();
  const [old = ''] = recoveryCodes;
  const wrong = await me(person).removeSecondFactor({ body: { password: 'wrong', code: nextCode(secret) } });
  assert.equal(outcome(wrong), '403 PASSWORD_WRONG');
  const without = await me(person).removeSecondFactor({ body: { password: PASSWORD, code: '123456' } });
  assert.equal(outcome(without), '403 SECOND_FACTOR_REFUSED');
  const renewed = await me(person).renewRecoveryCodes({ body: { password: PASSWORD, code: nextCode(secret) } });
  assert.equal(renewed.body.recoveryCodes.length, 10);
  assert.equal(outcome(await signIn(person.email, { code: old })), '403 SECOND_FACTOR_REFUSED');
  const [code = ''] = renewed.body.recoveryCodes;
  assert.equal(outcome(await me(person).removeSecondFactor({ body: { password: PASSWORD, code } })), '200');
  assert.equal(outcome(await signIn(person.email)), '200');
  assert.equal((await me(person).removeSecondFactor({ body: { password: PASSWORD, code } })).status, 404);
});
