import type { Asking, Filter } from '#domain/findings/filter.ts';
import type { Order } from '#domain/findings/list.ts';
import { adHoc, nothing, type Sql, sql } from '#kernel/db/sql.ts';
import { isWanted } from './conditions.ts';

export interface Want {
  filter: Filter;
  order: Order;
  /** The sort key of the last one before: severity as a rank of findings, when it was made, and id. */
  after: readonly string[] | null;
  limit: number;
}

function isPast({ by, isDescending }: Order, [severity, since, id]: readonly string[]): Sql {
  const isBeyond = isDescending ? sql`<` : sql`>`;
  return by === 'severity'
    ? sql`and (issue.severity, issue.created_at, issue.id) ${isBeyond}
        (${severity}::integer + 1, ${since}::timestamptz, ${id}::bigint)`
    : sql`and (issue.created_at, issue.id) ${isBeyond} (${since}::timestamptz, ${id}::bigint)`;
}

function orderOf({ by, isDescending }: Order): Sql {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const first = by === 'severity' ? sql`issue.severity ${direction}, ` : nothing;
  return sql`${first}issue.created_at ${direction}, issue.id ${direction}`;
}

/** A subquery that gives `id`, `severity` and `relevant_since` of issues, as the list of findings does. */
export const hits = ({ filter, order, after, limit }: Want, asking: Asking): Sql =>
  adHoc(sql`
    select issue.id, issue.severity - 1 as severity, issue.created_at as relevant_since from workflow_issue as issue
    where ${isWanted(filter, asking)} ${after ? isPast(order, after) : nothing}
    order by ${orderOf(order)} limit ${limit}::int`);
