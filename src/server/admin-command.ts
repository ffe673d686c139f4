import { resetAddress, resetLinkOf, resetToken } from '#domain/accounts/reset-link.ts';
import * as secondFactor from '#domain/accounts/second-factor.ts';
import {
  disableAccount,
  enableAccount,
  listServerAdministrators,
  setServerAdministrator,
} from '#domain/accounts/server-administrators.ts';
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
  baseUrl: string;
}

const LINK_LIFETIME_MS = 15 * 60_000;
const USAGE = 'list | (grant | revoke | login-link | remove-second-factor | disable | enable) EMAIL';

/** What the operator does with accounts; works while a server runs. */
export async function admin([action = '', email = '']: readonly string[]): Promise<void> {
  if (action !== 'list' && (!Object.hasOwn(ACTIONS, action) || email === ''))
    throw new UnknownAdminAction(`Use: parapet admin ${USAGE}`);
  const config = readConfig();
  const log = makeLog('warn');
  const storage = await connectStorage(config, (line) => console.log(line));
  const { ring: keys } = await openMasterKey(storage.connection, keyOptionsOf(config, log));
  const db = new Database({ connection: storage.connection, poolMax: 2, onError: (error) => log.warn({ err: error }) });
  const baseUrl = config.baseUrl || `http://${config.host}:${config.port}`;
  try {
    for (const line of await runAdminAction({ db, keys, baseUrl }, action, email)) console.log(line);
  } finally {
    await db.close();
    await storage.close('fast');
  }
}

type Action = (tx: Tx, account: people.Account, context: AdminContext) => Promise<string[]>;

const ACTIONS: Record<string, Action> = {
  grant: async (tx, { id, email }) => {
    await setServerAdministrator(tx, id, true);
    return [`✓ ${email} is now an administrator of the server`];
  },
  revoke: async (tx, account) => {
    await requireOther(tx, account);
    await setServerAdministrator(tx, account.id, false);
    return [`✓ ${account.email} is no longer an administrator of the server`];
  },
  'login-link': async (_tx, account, { keys, baseUrl }) => {
    if (account.disabled_at || account.deleted_at)
      throw new OperatorError(`${account.email} is disabled. Enable it first.`);
    const token = resetToken(keys, resetLinkOf(account, { now: new Date(), lifetimeMs: LINK_LIFETIME_MS }));
    return [
      `Whoever opens this link sets a new password for ${account.email} and is signed in.`,
      'It works once, for 15 minutes:',
      '',
      `    ${resetAddress(baseUrl, token)}`,
      '',
    ];
  },
  'remove-second-factor': async (tx, { id, email }) => {
    await secondFactor.remove(tx, id);
    return [`✓ ${email} signs in with the password alone`];
  },
  disable: async (tx, account) => {
    await requireOther(tx, account);
    const { tokens } = await disableAccount(tx, account.id);
    return [`✓ ${account.email} is disabled: its sessions and ${tokens} API tokens have ended`];
  },
  enable: async (tx, { id, email }) => {
    await enableAccount(tx, id);
    return [`✓ ${email} can sign in again`];
  },
};

/** Without an administrator of the server nobody could create deployments. */
async function requireOther(tx: Tx, { id, email }: people.Account): Promise<void> {
  const all = await listServerAdministrators(tx);
  if (all.length === 1 && all[0] === id)
    throw new OperatorError(
      `${email} is the only administrator of the server. Grant the right to somebody else first.`,
    );
}

/** Runs one action and returns the lines to print. */
export function runAdminAction(context: AdminContext, action: string, email: string): Promise<string[]> {
  return context.db.transaction({ role: 'auth', isRead: false }, async (tx) => {
    const run = ACTIONS[action];
    if (!run) return listNames(tx);
    // Two commands must not both find the other administrator.
    await tx.run`select pg_advisory_xact_lock(hashtext('parapet admin'))`;
    const account = await people.findByEmail(tx, email);
    if (!account) throw new OperatorError(`There is no account of ${email}.`);
    const lines = await run(tx, account, context);
    await writeAuditRecord(tx, context.keys.derive('audit'), {
      caller: anonymousCaller,
      requestId: 'command',
      address: '',
      operation: `parapet admin ${action}`,
      object: `account/${account.id}`,
      result: '200',
    });
    return lines;
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
