import { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { openTriageBatch, writeDecisions } from './decisions.ts';

const INTERVAL_MS = 5 * 60_000;
const BATCH_SIZE = 5000;

const DeploymentRow = z.object({ deployment_id: z.string() });

const expire = job({ kind: 'finding.expire', payload: {}, isUrgent: false });

export const expirySchedule = every(INTERVAL_MS, expire, {});

/** Resets expired decisions of a deployment; returns their number. */
export async function expireBatch(tx: Tx, deployment: string, now: Date): Promise<number> {
  const locked = await tx.all(RowId)`
    select finding.id from finding
    where finding.deployment_id = ${unestimated(deployment)} and finding.triage_until <= ${now}
    order by finding.id limit ${BATCH_SIZE}::int for no key update skip locked`;
  if (locked.length === 0) return 0;
  const batch = await openTriageBatch(tx, { deployment, kind: 'expiry', actor: 'parapet', at: now });
  const ids = locked.map(({ id }) => id);
  const next = sql`
    select id, 'untriaged'::text as state, null::text as reason, null::text as note, null::timestamptz as until,
      null::timestamptz as at, null::text as by, null::text as source, finding.assignee_id as assignee
    from finding where finding.deployment_id = ${deployment} and finding.id = any(${ids}::bigint[])`;
  await writeDecisions(tx, { deployment, batch, at: now, next });
  return ids.length;
}

/** Resets expired decisions of all deployments, one batch per transaction. */
export async function expireDecisions(db: Database, now: Date, signal?: AbortSignal): Promise<number> {
  const rows = await db.transaction(
    { role: 'background', isRead: true },
    (tx) => tx.all(DeploymentRow)`select distinct deployment_id from finding where triage_until <= ${now}`,
  );
  let total = 0;
  for (const { deployment_id: deployment } of rows) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !signal?.aborted; total += count)
      count = await db.transaction({ role: 'app', deployment, isRead: false }, (tx) =>
        expireBatch(tx, deployment, now),
      );
  }
  return total;
}

export const expiryHandler = (db: Database, clock: () => Date = () => new Date()): JobHandler =>
  jobHandler(expire, async ({ signal }) => void (await expireDecisions(db, clock(), signal)));
