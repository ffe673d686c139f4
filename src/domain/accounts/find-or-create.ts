import type { Tx } from '#kernel/db/tx.ts';
import { emailKey } from './store.ts';

/**
 * The account of an e-mail address, made without a password where there is none: such a person cannot sign in with one
 * until they set it. For the application's role, which else sees only the accounts of its deployment.
 */
export async function findOrCreateAccount(tx: Tx, person: { email: string; name: string }): Promise<string> {
  const key = emailKey(person.email);
  await tx.rows`select set_config('parapet.invited', ${key}, true)`;
  const [made] = await tx.rows`
    insert into account (email, email_key, name) values (${person.email.trim()}, ${key}, ${person.name})
    on conflict (email_key) do nothing
    returning id`;
  const [row] = made ? [made] : await tx.rows`select id from account where email_key = ${key}`;
  await tx.rows`select set_config('parapet.invited', '', true)`;
  if (!row) throw new Error('An account was neither found nor made.');
  return String(row['id']);
}
