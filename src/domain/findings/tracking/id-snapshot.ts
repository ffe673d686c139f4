import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const LOCK_CLASS = 0x46000000;
const LOW_BITS = 31;

/**
 * Tells others, until the transaction ends, that findings are being opened whose ids are higher than the one drawn
 * here, or other things whose marks are, which come from the same numbers. They may become visible later than those
 * with higher numbers still, whose transaction is quicker.
 */
export async function announceNewIds(tx: Tx): Promise<void> {
  await tx.run`
    select pg_advisory_xact_lock_shared((${LOCK_CLASS} + (id >> ${LOW_BITS}))::integer,
      (id & ((1::bigint << ${LOW_BITS}) - 1))::integer)
    from (select nextval('finding_id') as id) as drawn`;
}

/**
 * A mark between what somebody saw and what came later: no finding up to this id can still appear, and
 * nothing with such a mark. `newestMark` is a subquery of the highest mark that is seen.
 */
export async function takeIdSnapshot(tx: Tx, deployment: string, newestMark: Sql = sql`select 0`): Promise<string> {
  // What is visible is settled before the locks are looked at, as they are by then: who drew an id before the first
  // and is not announced at the second is visible to all statements that follow.
  const [row] = await tx.rows`
    select greatest((select coalesce(max(id), 0) from finding where deployment_id = ${deployment}),
        (${newestMark})) as seen,
      (select min(((classid::bigint - ${LOCK_CLASS}) << ${LOW_BITS}) + objid::bigint) from pg_locks
        where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'
          and classid::bigint between ${LOCK_CLASS} and ${LOCK_CLASS + 0xffffff}
          and database = (select oid from pg_database where datname = current_database())) as opening`;
  const [seen, opening] = [BigInt(String(row?.['seen'])), row?.['opening']];
  return String(typeof opening === 'string' && BigInt(opening) < seen ? opening : seen);
}
