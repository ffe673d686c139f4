import { z } from 'zod';
import { filterSql } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';
import { issueFilterSql as isWantedOfWorkflows } from '#domain/workflow-issues/issue-conditions.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

const MAX_COUNT = 1000;
const MAX_OFFERS = 20;
const MAX_SCANNED_FINDINGS = 20_000;

/** The number of findings of every type that match a filter, up to a maximum. */
export async function countUpTo(tx: Tx, asking: CallerContext, filter: FindingFilter): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from (
      (select from finding where ${unprepared(filterSql(filter, asking))} limit ${MAX_COUNT})
      union all
      (select from workflow_issue as issue where ${unprepared(isWantedOfWorkflows(filter, asking))} limit ${MAX_COUNT})
      limit ${MAX_COUNT}) as found`;
  return row?.count ?? 0;
}

/** The keys whose values come from the findings. */
const VALUE_COLUMNS: Partial<Record<FilterKey, Sql>> = {
  category: sql`finding.category`,
  package: sql`finding.package`,
  path: sql`finding.path`,
  endpoint: sql`case finding.place_kind when 'endpoint' then finding.path end`,
  resource: sql`case finding.place_kind when 'resource' then finding.path end`,
  project: sql`(select project.name from project where project.deployment_id = finding.deployment_id
    and project.id = finding.project_id)`,
  rule: sql`finding.rule`,
  scanner: sql`finding.tool`,
  advisory: sql`finding.advisory`,
};

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const SuggestedValue = z.object({ value: z.string(), count: z.int() });

/** The values of findings that match the rest of the filter, the most frequent first. */
export async function suggestValues(
  tx: Tx,
  asking: CallerContext,
  { key, prefix, filter }: { key: FilterKey; prefix: string; filter: FindingFilter },
): Promise<{ value: string; count: number }[]> {
  const value = VALUE_COLUMNS[key];
  if (!value) return [];
  return tx.all(SuggestedValue)`
    select value, count(*)::integer as count from (
      select ${value} as value from finding where ${unprepared(filterSql(filter, asking))}
      limit ${MAX_SCANNED_FINDINGS}) as scanned
    where value ilike ${`%${escaped(prefix)}%`}
    group by value order by count(*) desc, value limit ${MAX_OFFERS}`;
}
