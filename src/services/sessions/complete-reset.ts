import { requireSecondFactor } from '#domain/accounts/require-second-factor.ts';
import { parseResetToken } from '#domain/accounts/reset-link.ts';
import * as sessions from '#domain/accounts/sessions.ts';
import * as people from '#domain/accounts/store.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { type completePasswordReset, RESET_REFUSED } from './account-contract.ts';
import { PASSWORD_TOO_WEAK } from './session-shape.ts';
import { hasValidPasswordLength, signIn } from './sign-in.ts';

/** Sets a new password and signs in. Of concurrent attempts one succeeds, because the link names the old password. */
export async function completeReset(call: Call<typeof completePasswordReset>) {
  const { body, services, now, answer } = call;
  const link = parseResetToken(services.keys, new Secret(body.token), now);
  const account = link && (await call.read((tx) => people.find(tx, link.account)));
  answer.recordEffect({ object: account ? `account/${account.id}` : 'account' });
  if (!link || !account || !people.isPasswordOf(account, link.password)) {
    await call.transact(async () => {}, RESET_REFUSED.code);
    throw RESET_REFUSED();
  }
  if (!hasValidPasswordLength(body.password)) throw PASSWORD_TOO_WEAK();
  // A mailbox is one factor: whoever reads it needs the other one too.
  await requireSecondFactor(call, account.id, body.code);
  const hash = await hashPassword(new Secret(body.password));
  return call.transact(async (tx) => {
    if (!(await people.replacePassword(tx, account, hash))) throw RESET_REFUSED();
    await sessions.endAll(tx, account.id);
    return signIn(call, tx, { ...account, password_hash: hash });
  });
}
