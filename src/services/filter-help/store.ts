import { filterSql } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';
import { issueFilterSql as isWantedOfWorkflows } from '#domain/workflow-issues/issue-conditions.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const MOST_COUNTED = 1000;
const MOST_OFFERED = 20;
const MOST_LOOKED_AT = 20_000;

/** How many findings of every type a filter has, up to a number beyond which nobody cares. */
export async function countUpTo(tx: Tx, asking: CallerContext, filter: FindingFilter): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from (
      (select from finding where ${unprepared(filterSql(filter, asking))} limit ${MOST_COUNTED})
      union all
      (select from workflow_issue as issue where ${unprepared(isWantedOfWorkflows(filter, asking))} limit ${MOST_COUNTED})
      limit ${MOST_COUNTED}) as found`;
  return row?.count ?? 0;
}

/** Keys whose values are names that only the findings know. */
const VALUES: Partial<Record<FilterKey, Sql>> = {
  category: sql`finding.category`,
  package: sql`finding.package`,
  path: sql`finding.path`,
  project: sql`(select project.name from project where project.deployment_id = finding.deployment_id
    and project.id = finding.project_id)`,
  rule: sql`finding.rule`,
  scanner: sql`finding.tool`,
  advisory: sql`finding.advisory`,
};

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Values that findings of the rest of the filter have, those with most findings first. */
export async function suggestValues(
  tx: Tx,
  asking: CallerContext,
  { key, prefix, filter }: { key: FilterKey; prefix: string; filter: FindingFilter },
): Promise<{ value: string; count: number }[]> {
  const value = VALUES[key];
  if (!value) return [];
  const rows = await tx.rows`
    select value, count(*)::integer as count from (
      select ${value} as value from finding where ${unprepared(filterSql(filter, asking))}
      limit ${MOST_LOOKED_AT}) as looked_at
    where value ilike ${`%${escaped(prefix)}%`}
    group by value order by count(*) desc, value limit ${MOST_OFFERED}`;
  return rows.map((row) => ({ value: String(row['value']), count: Number(row['count']) }));
}
