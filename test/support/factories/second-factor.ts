import { Secret, TOTP } from 'otpauth';
import * as secondFactor from '#domain/accounts/second-factor.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import type { Scenario } from '../world/scenario.ts';
import { PASSWORD } from '../world/world.ts';

/** The code that an authenticator app shows. */
export const codeOf = (secret: string, at = new Date()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });

/** Removes the second factor of the administrator, who signs in with the password alone again. */
export async function clearSecondFactor({ world, place }: Scenario): Promise<string> {
  await world.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) => secondFactor.remove(tx, place.admin.id));
  return PASSWORD;
}

/** Adds an authenticator app to the administrator, and to nobody else; returns its first code. */
export async function makeFirstCode({ world, place }: Scenario): Promise<string> {
  await world.queryAsOwner('delete from account_totp');
  const begun = await world.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) =>
    secondFactor.begin(tx, world.keys, place.admin),
  );
  if (!begun) throw new Error('There was a second factor.');
  return codeOf(reveal(begun.secret));
}

/** The same with a confirmed app; returns a code that was not used. */
export async function makeSecondFactorCode(scene: Scenario): Promise<string> {
  const code = await makeFirstCode(scene);
  await scene.world.queryAsOwner('update account_totp set confirmed_at = now() where account_id = $1', [
    scene.place.admin.id,
  ]);
  return code;
}
