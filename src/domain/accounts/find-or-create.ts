import { RowId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { emailKey, lockEmail } from './store.ts';

/**
 * Returns the account of an e-mail address. A new account has no password, so nobody can sign in to it until one is
 * set. Used under the application role, which otherwise sees only the accounts of its deployment.
 */
export async function findOrCreateAccount(tx: Tx, person: { email: string; name: string }): Promise<string> {
  const key = emailKey(person.email);
  await lockEmail(tx, person.email);
  await tx.rows`select set_config('parapet.invited', ${key}, true)`;
  const inserted = await tx.one(RowId)`
    insert into account (email, email_key, name) values (${person.email.trim()}, ${key}, ${person.name})
    on conflict (email_key) do nothing
    returning id`;
  const account = inserted ?? (await tx.one(RowId)`select id from account where email_key = ${key}`);
  await tx.rows`select set_config('parapet.invited', '', true)`;
  if (!account) throw new Error('The account was neither found nor created.');
  return account.id;
}
