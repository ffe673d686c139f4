import { emailKey } from '#domain/accounts/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ASSIGNEE_ME, ASSIGNEE_NONE } from '../filter/assignee-words.ts';

/**
 * The account that a request names: `me`, an e-mail address or an id; null for `none`, and undefined if no active
 * member has that name.
 */
export async function findAssignee(tx: Tx, caller: Caller, text: string): Promise<string | null | undefined> {
  if (text === ASSIGNEE_NONE) return null;
  const isId = /^\d{1,18}$/.test(text);
  if (text === ASSIGNEE_ME && caller.kind !== 'user') return undefined;
  const id = text === ASSIGNEE_ME ? caller.userId : isId ? text : undefined;
  const row = await tx.one(RowId)`
    select account.id from membership join account on account.id = membership.account_id
    where membership.deployment_id = ${caller.deployment} and account.disabled_at is null
      and account.deleted_at is null
      and ${id === undefined ? sql`account.email_key = ${emailKey(text)}` : sql`account.id = ${id}::bigint`}`;
  return row?.id;
}
