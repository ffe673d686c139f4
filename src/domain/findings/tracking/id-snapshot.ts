import { z } from 'zod';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const SnapshotRow = z.object({ newest: z.string(), announced: z.string().optional() });

const LOCK_CLASS = 0x46000000;
const LOW_BITS = 31;

/**
 * Announces, until the transaction ends, that rows with higher ids than the one drawn here are being inserted. They may
 * become visible after rows with even higher ids from a faster transaction.
 */
export async function announceNewIds(tx: Tx): Promise<void> {
  await tx.run`
    select pg_advisory_xact_lock_shared((${LOCK_CLASS} + (id >> ${LOW_BITS}))::integer,
      (id & ((1::bigint << ${LOW_BITS}) - 1))::integer)
    from (select nextval('finding_id') as id) as drawn`;
}

/**
 * An id that separates existing rows from later ones: no row with an id up to this one can still appear. `newestId` is
 * a subquery of the highest visible id of other tables that use the sequence.
 */
export async function takeIdSnapshot(tx: Tx, deployment: string, newestId: Sql = sql`select 0`): Promise<string> {
  // The visible rows are determined before the locks are read: a transaction that drew its id before the first and has
  // no lock at the second is visible to all following statements.
  const row = await tx.one(SnapshotRow)`
    select greatest((select coalesce(max(id), 0) from finding where deployment_id = ${unestimated(deployment)}),
        (${newestId})) as newest,
      (select min(((classid::bigint - ${LOCK_CLASS}) << ${LOW_BITS}) + objid::bigint) from pg_locks
        where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'
          and classid::bigint between ${LOCK_CLASS} and ${LOCK_CLASS + 0xffffff}
          and database = (select oid from pg_database where datname = current_database())) as announced`;
  const newest = row?.newest ?? '0';
  const announced = row?.announced;
  return announced !== undefined && BigInt(announced) < BigInt(newest) ? announced : newest;
}
