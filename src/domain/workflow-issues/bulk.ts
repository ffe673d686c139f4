import type { Portion, Position } from '#domain/findings/bulk.ts';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { adHoc, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { isWanted } from './conditions.ts';
import { isNewDecision, type Triage } from './rules.ts';
import { Decided, decide } from './triage.ts';

/** A condition on `issue`: what came later than the snapshot is left alone. */
export const upTo = (snapshot: string): Sql => sql`issue.mark <= ${snapshot}::bigint`;

/** A subquery of the highest mark there is. */
export const newestMark = (deployment: string): Sql =>
  sql`select coalesce(max(issue.mark), 0) from workflow_issue as issue where issue.deployment_id = ${deployment}`;

interface BulkOrder {
  batch: string;
  filter: Filter;
  decision: Triage;
  snapshot: string;
}

/**
 * Decides about the next issues of a batch in the order of their ids. They are held in the order of identities, as
 * hand-ins hold them, so that the two never wait in a circle; those that no longer match by then are left out.
 */
export async function decideNext(
  tx: Tx,
  asking: Asking,
  { batch, filter, decision, snapshot }: BulkOrder,
  { after, limit }: Position,
): Promise<Portion> {
  const wanted = adHoc(sql`${isWanted(filter, asking)} and ${upTo(snapshot)}`);
  const rows = await tx.rows`
    select issue.id from workflow_issue as issue
    where ${wanted} and issue.id > ${after}::bigint order by issue.id limit ${limit}::int`;
  const picked = rows.map((row) => String(row['id']));
  if (picked.length === 0) return { picked: 0, done: 0, lastId: after };
  const held = await tx.all(Decided)`
    select issue.id, issue.triage_state as "triageState", issue.triage_reason as "triageReason",
      issue.triaged_at as "triagedAt"
    from workflow_issue as issue
    where ${wanted} and issue.id = any(${picked}::bigint[])
    order by issue.identity collate "C" for no key update of issue`;
  const fresh = held.filter((issue) => isNewDecision(issue, decision));
  if (fresh.length > 0) await decide(tx, asking, { held: fresh, decision, batch });
  return { picked: picked.length, done: fresh.length, lastId: picked.at(-1) ?? after };
}
