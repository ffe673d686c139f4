import { createHmac } from 'node:crypto';
import * as people from '#domain/accounts/store.ts';
import { isEqualSecret } from '#kernel/crypto/equal.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { reveal, type Secret } from '#kernel/crypto/secret.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { provisionDeployment } from './provision-deployment.ts';

const LIFETIME_MS = 30 * 60 * 1000;
const SETTING = 'setup_token';

export interface FirstAdministrator {
  email: string;
  passwordHash: string;
  name: string;
  deploymentName: string;
}

const hashOf = (keys: KeyRing, token: string) =>
  createHmac('sha256', keys.derive('setup-token')).update(token).digest('base64url');

/** Makes this token the one that opens the set-up, for half an hour; false when there is an administrator already. */
export async function issueSetupToken(
  tx: Tx,
  keys: KeyRing,
  { token, now }: { token: Secret; now: Date },
): Promise<boolean> {
  if (await people.hasAccounts(tx)) return false;
  const value = `${hashOf(keys, reveal(token))} ${now.getTime() + LIFETIME_MS}`;
  await tx.run`
    insert into server_setting (key, value) values (${SETTING}, ${value})
    on conflict (key) do update set value = excluded.value, changed_at = now()`;
  return true;
}

/** True when this token opens the set-up: it is right, young enough, and there is no administrator yet. */
export async function isSetupTokenValid(
  tx: Tx,
  keys: KeyRing,
  { token, now, isLocked = false }: { token: Secret; now: Date; isLocked?: boolean },
): Promise<boolean> {
  // The row is the lock: of two set-ups at once, the second finds it gone.
  const [row] = await tx.rows`
    select value from server_setting where key = ${SETTING} ${isLocked ? sql`for update` : emptySql}`;
  const [hash, until] = String(row?.['value'] ?? '').split(' ');
  const isRight = isEqualSecret(hashOf(keys, reveal(token)), hash ?? '');
  return isRight && Number(until) >= now.getTime() && !(await people.hasAccounts(tx));
}

/** Makes the first administrator and deployment, and closes the set-up. */
export async function createFirstAdministrator(
  tx: Tx,
  keys: KeyRing,
  wish: FirstAdministrator,
): Promise<people.Account> {
  await tx.run`delete from server_setting where key = ${SETTING}`;
  const id = await people.insert(tx, wish);
  await provisionDeployment(tx, keys, { name: wish.deploymentName, account: id });
  const account = await people.find(tx, id);
  if (!account) throw new Error('The first administrator was not inserted.');
  return account;
}
