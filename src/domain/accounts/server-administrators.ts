import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { endAll } from './sessions.ts';

/** Administrators of the server who can sign in, in order of their creation. They may create deployments. */
export async function listServerAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.all(RowId)`
    select id from account
    where is_server_administrator and disabled_at is null and deleted_at is null order by id`;
  return rows.map(({ id }) => id);
}

/** Makes an account an administrator of the server, or an ordinary one. */
export const setServerAdministrator = (tx: Tx, account: string, isAdministrator: boolean): Promise<number> =>
  tx.run`update account set is_server_administrator = ${isAdministrator} where id = ${account}`;

/** Ends all access of an account: nobody can sign in to it, and its sessions and the tokens it created end. */
export async function disableAccount(tx: Tx, account: string): Promise<{ sessions: number; tokens: number }> {
  await tx.run`update account set disabled_at = coalesce(disabled_at, now()) where id = ${account}`;
  const tokens = await tx.run`
    update api_token set revoked_at = now() where created_by = ${account} and revoked_at is null`;
  return { sessions: await endAll(tx, account), tokens };
}

/** The account can sign in again; what was ended stays ended. */
export const enableAccount = (tx: Tx, account: string): Promise<number> =>
  tx.run`update account set disabled_at = null where id = ${account}`;
