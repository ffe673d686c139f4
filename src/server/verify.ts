import { listIds } from '#domain/deployments/store.ts';
import { verifyChain } from '#kernel/audit/verify-chain.ts';
import { readConfig } from '#kernel/config/config.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import { Database } from '#kernel/db/database.ts';
import { openMasterKey } from '#kernel/db/migrate/master-key-check.ts';
import { makeLog } from '#kernel/log/log.ts';
import { keyOptionsOf } from './key-options.ts';
import { connectStorage } from './storage.ts';

const SERVER_DEPLOYMENT = '0';

/** Verifies the audit chain of every deployment; works while a server runs. */
export async function verify(): Promise<void> {
  const config = readConfig();
  const log = makeLog('warn');
  const storage = await connectStorage(config, (line) => console.log(line));
  const { ring } = await openMasterKey(storage.connection, keyOptionsOf(config, log));
  const keys = [ed25519From(ring.derive('audit-checkpoint'))];
  const db = new Database({ connection: storage.connection, poolMax: 2, onError: (error) => log.warn({ err: error }) });
  const deployments = await db.transaction({ role: 'background', isRead: true }, listIds);
  let isIntact = true;
  for (const deployment of [SERVER_DEPLOYMENT, ...deployments]) {
    const { ok, records, problems } = await verifyChain(db, { deployment, keys });
    isIntact &&= ok;
    console.log(`${ok ? '✓' : '✗'} deployment ${deployment}: ${records} records`);
    for (const { kind, where } of problems) console.log(`    ${kind} at ${where}`);
  }
  await db.close();
  await storage.close('fast');
  process.exitCode = isIntact ? 0 : 1;
}
