import { readdir, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';
import type { SqlRow, Tx } from './tx.ts';

export interface ServerStatusOptions {
  db: Database;
  dataDir: string;
  isEmbedded: boolean;
  startedAt: Date;
}

export interface DeadJob {
  id: string;
  kind: string;
  failedAt: Date;
  error: string;
}

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MOST_DEAD = 20;

/** What runs here and how it is: for those who look after it. */
export class ServerStatus {
  readonly #options: ServerStatusOptions;

  constructor(options: ServerStatusOptions) {
    this.#options = options;
  }

  /** Jobs are those of this deployment and of the server itself: what others do is their affair. */
  async read(deployment: string) {
    const { db, dataDir, isEmbedded, startedAt } = this.#options;
    const [{ facts, dead }, known, disk] = await Promise.all([
      db.transaction({ role: 'background', isRead: true }, async (tx) => ({
        facts: await factsOf(tx, deployment),
        dead: await listDead(tx, deployment),
      })),
      countMigrations(),
      diskOf(dataDir),
    ]);
    const numberOf = (name: string) => Number(facts?.[name] ?? 0);
    const applied = numberOf('applied');
    return {
      node: process.versions.node,
      startedAt,
      database: { version: String(facts?.['version']), sizeBytes: numberOf('size'), isEmbedded },
      migrations: { applied, pending: Math.max(0, known - applied) },
      jobs: {
        waiting: numberOf('waiting'),
        running: numberOf('running'),
        dead: numberOf('dead'),
        oldestWaitingSeconds: Math.max(0, Math.floor(numberOf('oldest'))),
      },
      deadJobs: dead.map(
        (row): DeadJob => ({
          id: String(row['id']),
          kind: String(row['kind']),
          failedAt: new Date(String(row['failed_at'])),
          error: String(row['last_error'] ?? ''),
        }),
      ),
      ...(disk && { disk }),
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}

async function factsOf(tx: Tx, deployment: string): Promise<SqlRow | undefined> {
  const [row] = await tx.rows`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      (select count(*) from migration) as applied,
      count(*) filter (where state = 'ready' and run_at <= now()) as waiting,
      count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'dead') as dead,
      extract(epoch from now() - min(run_at) filter (where state = 'ready' and run_at <= now())) as oldest
    from job where deployment_id in (0, ${deployment}) and state in ('ready', 'running', 'dead')`;
  return row;
}

const listDead = (tx: Tx, deployment: string): Promise<SqlRow[]> =>
  tx.rows`
    select id, kind, coalesce(finished_at, created_at) as failed_at, last_error from job
    where deployment_id in (0, ${deployment}) and state = 'dead' order by id desc limit ${MOST_DEAD}::int`;

const countMigrations = async (): Promise<number> =>
  (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).length;

/** The disk of the data folder; a system that does not tell leaves it out. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}
