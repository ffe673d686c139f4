import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tokens from '#domain/accounts/api-tokens.ts';
import { hashToken } from '#domain/accounts/authenticator.ts';
import * as people from '#domain/accounts/store.ts';
import { createFirstAdministrator, issueSetupToken } from '#domain/provisioning/initial-setup.ts';
import { writeAuditRecord } from '#kernel/audit/audit-record.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import type { Config } from '#kernel/config/config.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { hashPassword } from '#kernel/crypto/password.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { makeTokenText, tokenSuffix } from '#kernel/crypto/token-text.ts';
import type { Assembly } from './assemble.ts';

interface FirstRun {
  config: Config;
  assembly: Assembly;
  keys: KeyRing;
  baseUrl: string;
  print: (line: string) => void;
}

const TOKEN_DAYS = 365;

/** While there is no administrator: creates the one of the settings, or prints the link to create one. */
export async function firstRun(run: FirstRun): Promise<void> {
  const { config } = run;
  const hasPassword = reveal(config.setupAdminPassword) !== '';
  if (config.setupAdminEmail !== '' && hasPassword) await createFromSettings(run);
  else await printSetupLink(run);
}

async function createFromSettings({ config, assembly, keys, print }: FirstRun): Promise<void> {
  const passwordHash = await hashPassword(config.setupAdminPassword);
  const text = makeTokenText('api');
  const isCreated = await assembly.db.transaction({ role: 'auth', isRead: false }, async (tx) => {
    // Two servers that start at the same time must not both find the table empty.
    await tx.run`select pg_advisory_xact_lock(hashtext('parapet set-up'))`;
    if (await people.hasAccounts(tx)) return false;
    const name = config.setupOrg || 'Parapet';
    const account = await createFirstAdministrator(tx, keys, {
      email: config.setupAdminEmail,
      passwordHash,
      name: config.setupAdminEmail.split('@')[0] ?? 'admin',
      deploymentName: name,
    });
    const membership = await people.findFirstMembership(tx, account.id);
    const deployment = membership?.deployment ?? '';
    if (config.setupTokenFile !== '')
      await tokens.insert(tx, {
        deployment,
        name: 'set-up',
        role: 'TOKEN_ROLE_WEBAPI',
        purpose: 'TOKEN_PURPOSE_API',
        hasWebApi: true,
        scopes: [],
        hash: hashToken(keys.derive('api-token'), reveal(text)),
        suffix: tokenSuffix(text),
        createdBy: account.id,
        expiresAt: new Date(Date.now() + TOKEN_DAYS * 24 * 3600 * 1000),
      });
    await writeAuditRecord(tx, keys.derive('audit'), {
      caller: { ...anonymousCaller, userId: account.id },
      requestId: 'start',
      address: '',
      operation: 'SetUpFromSettings',
      object: `deployment/${deployment}`,
      result: '200',
    });
    return true;
  });
  if (!isCreated) return;
  if (config.setupTokenFile !== '') await writeFile(config.setupTokenFile, reveal(text), { mode: 0o600 });
  print(`✓ administrator ${config.setupAdminEmail} created from the settings`);
}

async function printSetupLink({ config, assembly, keys, baseUrl, print }: FirstRun): Promise<void> {
  const token = new Secret(randomBytes(24).toString('base64url'));
  const isOpen = await assembly.db.transaction({ role: 'auth', isRead: false }, (tx) =>
    issueSetupToken(tx, keys, { token, now: new Date() }),
  );
  if (!isOpen) return;
  const link = `${baseUrl}/setup#t=${reveal(token)}`;
  print('');
  print('First run. Create the first administrator within 30 minutes:');
  print(`\n    ${link}\n`);
  // Without a terminal the link is also written to a file that only its owner can read.
  if (!process.stdout.isTTY) await writeFile(join(config.dataDir, 'setup-token'), `${link}\n`, { mode: 0o600 });
}
