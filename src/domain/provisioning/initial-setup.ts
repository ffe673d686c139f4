import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { setServerAdministrator } from '#domain/accounts/server-administrators.ts';
import * as accounts from '#domain/accounts/store.ts';
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

/** Makes this the setup token for half an hour; false if an account already exists. */
export async function issueSetupToken(
  tx: Tx,
  keys: KeyRing,
  { token, now }: { token: Secret; now: Date },
): Promise<boolean> {
  if (await accounts.hasAccounts(tx)) return false;
  const value = `${hashOf(keys, reveal(token))} ${now.getTime() + LIFETIME_MS}`;
  await tx.run`
    insert into server_setting (key, value) values (${SETTING}, ${value})
    on conflict (key) do update set value = excluded.value, changed_at = now()`;
  return true;
}

const SetupToken = z.object({ value: z.string() });

/** True if the token is correct and not expired, and no account exists yet. */
export async function isSetupTokenValid(
  tx: Tx,
  keys: KeyRing,
  { token, now, isLocked = false }: { token: Secret; now: Date; isLocked?: boolean },
): Promise<boolean> {
  // The row is the lock: of two concurrent setups, the second finds it deleted.
  const row = await tx.one(SetupToken)`
    select value from server_setting where key = ${SETTING} ${isLocked ? sql`for update` : emptySql}`;
  const [hash, until] = (row?.value ?? '').split(' ');
  const isCorrect = isEqualSecret(hashOf(keys, reveal(token)), hash ?? '');
  return isCorrect && Number(until) >= now.getTime() && !(await accounts.hasAccounts(tx));
}

/** Creates the first administrator of the server and the first deployment, and deletes the setup token. */
export async function createFirstAdministrator(
  tx: Tx,
  keys: KeyRing,
  administrator: FirstAdministrator,
): Promise<accounts.Account> {
  await tx.run`delete from server_setting where key = ${SETTING}`;
  const id = await accounts.insert(tx, administrator);
  await setServerAdministrator(tx, id, true);
  await provisionDeployment(tx, keys, { name: administrator.deploymentName, account: id });
  const account = await accounts.find(tx, id);
  if (!account) throw new Error('The first administrator was not inserted.');
  return account;
}
