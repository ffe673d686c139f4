import type { Call } from '#kernel/http/pipeline/group.ts';
import * as secondFactor from './second-factor.ts';
import { SECOND_FACTOR_REFUSED, SECOND_FACTOR_REQUIRED } from './shape.ts';

type CheckingCall = Pick<Call, 'services' | 'now' | 'answer' | 'read' | 'transact' | 'transactFurther'>;

/**
 * Checks a code of an account within the limits of guesses. A code counts before it is checked, so that codes sent at
 * once do not exceed the limit, and a correct one does not count.
 */
export async function checkCode(call: CheckingCall, account: string, code: string): Promise<void> {
  const { services, now } = call;
  const key = `code ${account}`;
  services.limits.take('login', key);
  // Committed before anything else is done with it: a code is used up even if the rest fails.
  const isRight = await call.transactFurther((tx) => secondFactor.accept(tx, services.keys, { account, code, now }));
  if (isRight) {
    services.limits.giveBack('login', key);
    return;
  }
  call.answer.recordEffect({ object: `account/${account}` });
  await call.transact(async () => {}, SECOND_FACTOR_REFUSED.code);
  throw SECOND_FACTOR_REFUSED();
}

/** Requires a code if the account has a second factor. Called only when the first factor was right. */
export async function requireSecondFactor(
  call: CheckingCall,
  account: string,
  code: string | undefined,
): Promise<void> {
  if (!(await call.read((tx) => secondFactor.findConfirmed(tx, account)))) return;
  if (code === undefined || code.trim() === '') throw SECOND_FACTOR_REQUIRED();
  await checkCode(call, account, code);
}
