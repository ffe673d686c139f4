import { checkPassword } from '#domain/accounts/password-guesses.ts';
import { checkCode } from '#domain/accounts/require-second-factor.ts';
import * as secondFactor from '#domain/accounts/second-factor.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import { PASSWORD_WRONG, SECOND_FACTOR_REFUSED } from '#domain/accounts/shape.ts';
import * as people from '#domain/accounts/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** Requires the password again, because a session may have been left open. */
async function requirePassword(call: Call, password: string): Promise<void> {
  const { caller, services, now, answer } = call;
  const { address, cookie } = call.request;
  const findAccount = () => call.read((tx) => people.find(tx, caller.userId));
  const guess = { email: caller.email, password: new Secret(password), address, cookie, now, findAccount };
  answer.recordEffect({ object: `account/${caller.userId}` });
  if ((await checkPassword(services, guess)).isCorrect) return;
  await call.transact(async () => {}, PASSWORD_WRONG.code);
  throw PASSWORD_WRONG();
}

/** Requires a confirmed app, and then the password and a code. */
async function requireBoth(call: Call, { password, code }: { password: string; code: string }): Promise<void> {
  const { userId } = call.caller;
  if (!(await call.read((tx) => secondFactor.findConfirmed(tx, userId)))) throw NOT_FOUND();
  await requirePassword(call, password);
  await checkCode(call, userId, code);
}

/** SecondFactorService: the authenticator app of the caller. */
export const secondFactorGroup = group('SecondFactorService', contract, {
  getSecondFactor: async ({ tx, caller }) => {
    const found = await secondFactor.findConfirmed(tx, caller.userId);
    if (!found) return { enabled: false, recoveryCodesLeft: 0 };
    return { enabled: true, ...found };
  },

  beginSecondFactor: async (call) => {
    const { caller, services } = call;
    await requirePassword(call, call.body.password);
    return call.transact(async (tx) => {
      const begun = await secondFactor.begin(tx, services.keys, { id: caller.userId, email: caller.email });
      if (!begun) throw contract.SECOND_FACTOR_PRESENT();
      return { secret: reveal(begun.secret), uri: reveal(begun.uri) };
    });
  },

  confirmSecondFactor: async (call) => {
    const { caller, services, now, answer, body } = call;
    const account = caller.userId;
    const key = `code ${account}`;
    answer.recordEffect({ object: `account/${account}` });
    if (!(await call.read((tx) => secondFactor.isPending(tx, account)))) throw NOT_FOUND();
    services.limits.take('login', key);
    const confirmed = await call.transact(async (tx) => {
      if (!(await secondFactor.confirm(tx, services.keys, { account, code: body.code, now })))
        throw SECOND_FACTOR_REFUSED();
      await sessions.endAllBut(tx, account, caller.credential.replace('session:', ''));
      return { recoveryCodes: await secondFactor.renewRecoveryCodes(tx, services.keys, account) };
    });
    services.limits.giveBack('login', key);
    return confirmed;
  },

  renewRecoveryCodes: async (call) => {
    const { caller, services, body } = call;
    await requireBoth(call, body);
    return call.transact(async (tx) => ({
      recoveryCodes: await secondFactor.renewRecoveryCodes(tx, services.keys, caller.userId),
    }));
  },

  removeSecondFactor: async (call) => {
    await requireBoth(call, call.body);
    await call.transact((tx) => secondFactor.remove(tx, call.caller.userId));
    return {};
  },
});
