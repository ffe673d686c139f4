import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';

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
