import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { type Config, readConfig, unknownSettings } from '#kernel/config/config.ts';
import { version } from '#kernel/config/version.ts';
import { type KeyRing, UnusableKey } from '#kernel/crypto/keys/key-ring.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { Database } from '#kernel/db/database.ts';
import { openMasterKey } from '#kernel/db/migrate/master-key-check.ts';
import { migrate, readMigrations } from '#kernel/db/migrate/migrate.ts';
import { requireRoles } from '#kernel/db/require-roles.ts';
import { type Log, makeLog } from '#kernel/log/log.ts';
import { releaseStartMemory } from '#kernel/log/release-memory.ts';
import { Mail } from '#kernel/mail/mail.ts';
import { Egress } from '#kernel/outbound/egress.ts';
import { Background } from './background.ts';
import { keyOptionsOf } from './key-options.ts';
import { onStop } from './stop.ts';
import { joinStorage } from './storage.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Enough for the jobs that run at once, and few beside the connections of the servers. */
const MAX_CONNECTIONS = 10;
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs background jobs until it is told to stop, or until the server that started it ends. */
export async function work(): Promise<void> {
  const config = readConfig();
  const log = makeLog(config.logLevel).child({ process: 'worker' });
  for (const name of unknownSettings()) log.warn({ name }, 'this environment variable is not a setting of Parapet');
  print(`parapet ${version} worker · Node ${process.versions.node} · data ${config.dataDir} · pid ${process.pid}`);
  const stopping = onStop(print, 'jobs');
  const parentEnded = new Promise<void>((resolve) => process.once('disconnect', resolve));
  const connection = await joinStorage(config);
  await migrate(connection, await readMigrations(MIGRATIONS));
  const worker = await start({ config, connection, keys: await loadKeys(config, connection, log), log });
  print('parapet worker ready');
  log.info({ pid: process.pid }, 'takes jobs');
  releaseStartMemory();
  await Promise.race([stopping.requested, parentEnded]);
  await worker.stop();
  log.flush();
  stopping.finish();
}

/** The keys of the servers; a worker never creates them, because it may start before the first server. */
async function loadKeys(config: Config, connection: pg.ClientConfig, log: Log): Promise<KeyRing> {
  const file = join(config.dataDir, 'keys', 'master.key');
  if (reveal(config.masterKey) === '')
    await access(file).catch(() => {
      throw new UnusableKey(
        `There is no encryption key in ${file}. Set PARAPET_MASTER_KEY to the key of the servers, ` +
          'or start a server on this data folder first.',
      );
    });
  return (await openMasterKey(connection, keyOptionsOf(config, log))).ring;
}

interface WorkerParts {
  config: Config;
  connection: pg.ClientConfig;
  keys: KeyRing;
  log: Log;
}

async function start({ config, connection, keys, log }: WorkerParts): Promise<{ stop(): Promise<void> }> {
  const db = new Database({
    connection,
    poolMax: Math.min(config.databasePool, MAX_CONNECTIONS),
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  await requireRoles(db);
  const services = {
    keys,
    mail: new Mail({ url: config.smtpUrl, from: config.mailFrom }),
    egress: new Egress({ allow: config.egressAllow }),
    baseUrl: config.baseUrl || `http://${config.host}:${config.port}`,
    version,
    slackUrl: config.slackUrl,
  };
  const background = new Background({ db, connection, services, workerId: randomUUID(), log });
  const metrics = await openMetrics(config.metricsPort, db);
  background.start();
  return {
    stop: async () => {
      await background.stop();
      await db.close();
      metrics?.close();
    },
  };
}

/** Imports the code of metrics only if they are on, because it takes a tenth of the memory of an idle worker. */
async function openMetrics(port: number, db: Database): Promise<Server | undefined> {
  if (port === 0) return undefined;
  const { serveWorkerMetrics } = await import('./worker-metrics.ts');
  return serveWorkerMetrics(port, db);
}
