import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from './handler.ts';
import { job } from './job.ts';
import { every } from './schedule.ts';

const HOUR_MS = 3_600_000;

const forget = job({ kind: 'server.forget', payload: {}, isUrgent: false });

export const retentionSchedule = every(HOUR_MS, forget, {});

/** Removes something that is kept only for a time. */
export type RetentionTask = (tx: Tx) => Promise<unknown>;

export const deleteExpiredReplies: RetentionTask = (tx) =>
  tx.run`delete from idempotency where created_at < now() - interval '24 hours'`;

/** Does the chores once an hour, each in its own transaction. */
export const retentionHandler = (db: Database, chores: readonly RetentionTask[]): JobHandler =>
  jobHandler(forget, async () => {
    for (const chore of chores) await db.transaction({ role: 'background', isRead: false }, chore);
  });
