import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from './handler.ts';
import { job } from './job.ts';
import { every } from './schedule.ts';

const HOUR_MS = 3_600_000;

const retention = job({ kind: 'server.forget', payload: {}, isUrgent: false });

export const retentionSchedule = every(HOUR_MS, retention, {});

/** Deletes rows whose retention period has ended. */
export type RetentionTask = (tx: Tx) => Promise<unknown>;

export const deleteExpiredReplies: RetentionTask = (tx) =>
  tx.run`delete from idempotency where created_at < now() - interval '24 hours'`;

/** Runs the tasks once an hour, each in its own transaction. */
export const retentionHandler = (db: Database, tasks: readonly RetentionTask[]): JobHandler =>
  jobHandler(retention, async () => {
    for (const task of tasks) await db.transaction({ role: 'background', isRead: false }, task);
  });
