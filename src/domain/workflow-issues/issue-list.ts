import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import type { FindingOrder } from '#domain/findings/filter/finding-list.ts';
import { emptySql, type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import { issueFilterSql } from './issue-conditions.ts';

export interface IssueListRequest {
  filter: FindingFilter;
  order: FindingOrder;
  /** Sort key of the last item of the previous page: severity as a rank of findings, creation time and id. */
  after: readonly string[] | null;
  limit: number;
}

function isAfterKey({ by, isDescending }: FindingOrder, [severity, since, id]: readonly string[]): Sql {
  const comparison = isDescending ? sql`<` : sql`>`;
  return by === 'severity'
    ? sql`and (issue.severity, issue.created_at, issue.id) ${comparison}
        (${severity}::integer + 1, ${since}::timestamptz, ${id}::bigint)`
    : sql`and (issue.created_at, issue.id) ${comparison} (${since}::timestamptz, ${id}::bigint)`;
}

function orderOf({ by, isDescending }: FindingOrder): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const first = by === 'severity' ? sql`issue.severity ${direction}, ` : emptySql;
  return sql`${first}issue.created_at ${direction}, issue.id ${direction}`;
}

/** A subquery of `id`, `severity` and `relevant_since` of issues, like that of findings. */
export const issueListSql = ({ filter, order, after, limit }: IssueListRequest, context: CallerContext): Sql =>
  unprepared(sql`
    select issue.id, issue.severity - 1 as severity, issue.created_at as relevant_since from workflow_issue as issue
    where ${issueFilterSql(filter, context)} ${after ? isAfterKey(order, after) : emptySql}
    order by ${orderOf(order)} limit ${limit}::int`);
