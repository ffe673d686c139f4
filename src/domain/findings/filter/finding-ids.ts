import { RowId } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { inIncludedProjects } from './filter-sql.ts';
import type { CallerContext } from './finding-filter.ts';

/**
 * Resolves ids of findings or detections to id, position and finding_id, whether or not the finding exists. OFFSET
 * keeps the COALESCE out of later conditions, which could use no index under row-level security.
 */
export const findingsByIds = (ids: readonly string[]): Sql => sql`
  select requested.id, requested.position, coalesce(detected.finding_id, requested.id) as finding_id
  from unnest(${ids}::bigint[]) with ordinality as requested (id, position)
  left join detection as detected
    on detected.deployment_id = (select current_deployment()) and detected.id = requested.id
  offset 0`;

/** The ids that belong neither to findings nor to detections that the caller may see. */
export async function unknownFindingIds(tx: Tx, context: CallerContext, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.all(RowId)`
    select requested.id from (${findingsByIds(ids)}) as requested
    left join lateral (
      select finding.id from finding
      where finding.deployment_id = ${context.caller.deployment} and finding.id = requested.finding_id
        and (${inIncludedProjects({}, context)} or ${inIncludedProjects({ isArchived: true }, context)})
      limit 1) as visible on true
    where visible.id is null`;
  return new Set(rows.map(({ id }) => id));
}
