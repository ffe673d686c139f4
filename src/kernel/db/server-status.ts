import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { DiskSpace } from '#kernel/spool/disk-space.ts';
import type { Database } from './database.ts';
import type { Tx } from './tx.ts';

export interface ServerStatusOptions {
  db: Database;
  diskSpace: DiskSpace;
  isEmbedded: boolean;
  startedAt: Date;
}

const DeadJob = z.object({ id: z.string(), kind: z.string(), failedAt: timestamp(), error: z.string() });

export type DeadJob = z.output<typeof DeadJob>;

const Counts = z.object({
  version: z.string(),
  sizeBytes: z.number(),
  applied: z.number(),
  waiting: z.number(),
  running: z.number(),
  dead: z.number(),
  oldestSeconds: z.number().optional(),
});

type Counts = z.output<typeof Counts>;

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MAX_DEAD_JOBS = 20;

/** The state of this installation, for its operators. */
export class ServerStatus {
  readonly #options: ServerStatusOptions;

  constructor(options: ServerStatusOptions) {
    this.#options = options;
  }

  /** How long jobs of any deployment have been due while no process runs jobs; undefined as long as one does. */
  stalledMinutes(): Promise<number | undefined> {
    return this.#options.db.transaction({ role: 'background', isRead: true }, stalledMinutes);
  }

  /** Counts the jobs of this deployment and of the server itself, never those of other deployments. */
  async read(deployment: string) {
    const { db, diskSpace, isEmbedded, startedAt } = this.#options;
    const [{ counts, deadJobs }, known, disk] = await Promise.all([
      db.transaction({ role: 'background', isRead: true }, async (tx) => ({
        counts: await countsOf(tx, deployment),
        deadJobs: await listDeadJobs(tx, deployment),
      })),
      countMigrations(),
      diskSpace.fullest(),
    ]);
    const { version, sizeBytes, applied, waiting, running, dead, oldestSeconds = 0 } = counts;
    return {
      node: process.versions.node,
      startedAt,
      database: { version, sizeBytes, isEmbedded },
      migrations: { applied, pending: Math.max(0, known - applied) },
      jobs: { waiting, running, dead, oldestWaitingSeconds: Math.max(0, Math.floor(oldestSeconds)) },
      deadJobs,
      ...(disk && { disk: { freeBytes: disk.freeBytes, totalBytes: disk.totalBytes } }),
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}

async function countsOf(tx: Tx, deployment: string): Promise<Counts> {
  const counts = await tx.one(Counts)`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      (select count(*) from migration)::float8 as applied,
      count(*) filter (where state = 'ready' and run_at <= now())::float8 as waiting,
      count(*) filter (where state = 'running')::float8 as running,
      count(*) filter (where state = 'dead')::float8 as dead,
      extract(epoch from now() - min(run_at) filter (where state = 'ready' and run_at <= now()))::float8
        as "oldestSeconds"
    from job where deployment_id in (0, ${deployment}) and state in ('ready', 'running', 'dead')`;
  if (!counts) throw new Error('An aggregate without grouping has one row.');
  return counts;
}

const listDeadJobs = (tx: Tx, deployment: string): Promise<DeadJob[]> =>
  tx.all(DeadJob)`
    select id, kind, coalesce(finished_at, created_at) as "failedAt", coalesce(last_error, '') as error from job
    where deployment_id in (0, ${deployment}) and state = 'dead' order by id desc limit ${MAX_DEAD_JOBS}::int`;

const countMigrations = async (): Promise<number> =>
  (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).length;

/** Longer than a worker takes to start again, and than the time between two recurring jobs. */
const STALLED_MINUTES = 10;

const StalledJobs = z.object({ minutes: z.number().optional() });

/** How long jobs have been due while no process worked on any; undefined as long as jobs are run. */
async function stalledMinutes(tx: Tx): Promise<number | undefined> {
  const found = await tx.one(StalledJobs)`
    select floor(extract(epoch from now() - due.run_at) / 60)::float8 as minutes
    from (select run_at from job where state = 'ready' order by run_at limit 1) as due
    where due.run_at <= now() - make_interval(mins => ${STALLED_MINUTES})
      and not exists (select from job where state = 'running' and lease_until > now())
      and not exists (select from job where finished_at > now() - make_interval(mins => ${STALLED_MINUTES}))`;
  return found?.minutes;
}
