import { listServerAdministrators, setServerAdministrator } from '#domain/accounts/server-administrators.ts';
import * as people from '#domain/accounts/store.ts';
import { writeAuditRecord } from '#kernel/audit/audit-record.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { readConfig } from '#kernel/config/config.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { Database } from '#kernel/db/database.ts';
import { openMasterKey } from '#kernel/db/migrate/master-key-check.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import { makeLog } from '#kernel/log/log.ts';
import { keyOptionsOf } from './key-options.ts';
import { connectStorage } from './storage.ts';

/** Thrown when the words after `parapet admin` are none of its actions. */
class UnknownAdminAction extends OperatorError {
  override readonly exitCode = 2;
}

interface AdminContext {
  db: Database;
  keys: KeyRing;
}

/** Lists and appoints the administrators of the server; works while a server runs. */
export async function admin([action = '', email = '']: readonly string[]): Promise<void> {
  if (!['list', 'grant', 'revoke'].includes(action) || (action !== 'list' && email === ''))
    throw new UnknownAdminAction('Use: parapet admin list | grant EMAIL | revoke EMAIL');
  const config = readConfig();
  const log = makeLog('warn');
  const storage = await connectStorage(config, (line) => console.log(line));
  const { ring: keys } = await openMasterKey(storage.connection, keyOptionsOf(config, log));
  const db = new Database({ connection: storage.connection, poolMax: 2, onError: (error) => log.warn({ err: error }) });
  try {
    const lines = await runAdminAction({ db, keys }, action, email);
    for (const line of lines) console.log(line);
  } finally {
    await db.close();
    await storage.close('fast');
  }
}

/** Runs one action and returns the lines to print. */
export function runAdminAction({ db, keys }: AdminContext, action: string, email: string): Promise<string[]> {
  return db.transaction({ role: 'auth', isRead: false }, async (tx) => {
    if (action === 'list') return listNames(tx);
    const account = await people.findByEmail(tx, email);
    if (!account) throw new OperatorError(`There is no account of ${email}.`);
    const others = (await listServerAdministrators(tx)).filter((id) => id !== account.id);
    if (action === 'revoke' && others.length === 0)
      throw new OperatorError(
        `${email} is the only administrator of the server. Grant the right to somebody else first.`,
      );
    await setServerAdministrator(tx, account.id, action === 'grant');
    await writeAuditRecord(tx, keys.derive('audit'), {
      caller: anonymousCaller,
      requestId: 'command',
      address: '',
      operation: action === 'grant' ? 'GrantServerAdministrator' : 'RevokeServerAdministrator',
      object: `account/${account.id}`,
      result: '200',
    });
    return [`✓ ${account.email} ${action === 'grant' ? 'is now' : 'is no longer'} an administrator of the server`];
  });
}

async function listNames(tx: Tx): Promise<string[]> {
  const lines: string[] = [];
  for (const id of await listServerAdministrators(tx)) {
    const account = await people.find(tx, id);
    if (account) lines.push(`${account.email}  ${account.name}`);
  }
  return lines;
}
