import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { inIncludedProjects } from './filter-sql.ts';
import type { CallerContext } from './finding-filter.ts';

/**
 * Resolves ids of findings or detections to id, position and finding_id, whether or not the finding exists. OFFSET
 * keeps the COALESCE out of later conditions, which could use no index under row-level security.
 */
export const findingsByIds = (ids: readonly string[]): Sql => sql`
  select wanted.id, wanted.position, coalesce(named.finding_id, wanted.id) as finding_id
  from unnest(${ids}::bigint[]) with ordinality as wanted (id, position)
  left join detection as named on named.deployment_id = (select current_deployment()) and named.id = wanted.id
  offset 0`;

/** The ids that belong neither to findings nor to detections that the caller may see. */
export async function unknownFindingIds(tx: Tx, asking: CallerContext, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.rows`
    select wanted.id from (${findingsByIds(ids)}) as wanted
    left join lateral (
      select finding.id from finding
      where finding.deployment_id = ${asking.caller.deployment} and finding.id = wanted.finding_id
        and (${inIncludedProjects({}, asking)} or ${inIncludedProjects({ isArchived: true }, asking)}) limit 1) as seen on true
    where seen.id is null`;
  return new Set(rows.map((row) => String(row['id'])));
}
