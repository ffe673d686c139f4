import { z } from 'zod';
import { principalOf } from '#domain/access/principal.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { findingsByIds } from '#domain/findings/filter/finding-ids.ts';
import { allMatchingSql, listFindingPage, NEWEST_FIRST } from '#domain/findings/filter/finding-list.ts';
import { findingById, primaryLocationOf } from '#domain/findings/filter/locations.ts';
import { filterOfText } from '#domain/findings/filter/query-filter.ts';
import { PRODUCTS, SEVERITY_NAMES } from '#domain/findings/shape.ts';
import type { Page } from '#kernel/db/query/page.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { listReview } from './contract.ts';

export const MAX_INBOX_COUNT = 10_000;

export const severityNameSql: Sql = sql`(${[...SEVERITY_NAMES]}::text[])[finding.severity + 1]`;

/** The filter of the review queue. */
export const REVIEW_QUERY = 'is:open is:unseen relevant:>-30d';

/** The filter of what is assigned to the caller. */
export const ASSIGNED_QUERY = 'assignee:me is:open,reviewing,to-fix';

const filterOf = (q: string, now: Date): FindingFilter => ({ products: PRODUCTS, ...filterOfText(q, now, '') });

const CountRow = z.object({ count: z.int() });

/** Counts the findings of a tab, up to a limit. */
export async function countMatching(tx: Tx, context: CallerContext, q: string): Promise<number> {
  const row = await tx.one(CountRow)`
    select count(*)::integer as count from (
      select from finding where ${await allMatchingSql(tx, context, filterOf(q, context.now))}
      limit ${MAX_INBOX_COUNT}::int) as waiting`;
  return row?.count ?? 0;
}

const ReviewItem = listReview.reply.shape.issues.element;

/** One page of the findings of a tab. */
export async function listMatchingPage(
  tx: Tx,
  context: CallerContext,
  { q, page }: { q: string; page: Page },
): Promise<z.output<typeof ReviewItem>[]> {
  const request = { filter: filterOf(q, context.now), order: NEWEST_FIRST, page };
  const ids = await listFindingPage(tx, context, request);
  return tx.all(ReviewItem)`
    select finding.id as "issueId", finding.title, ${severityNameSql} as severity, project.name as "projectName",
      'ISSUE_TYPE_' || upper(finding.product) as type, place.path, place.line, place.ref,
      finding.first_seen_at as "firstSeenAt", finding.reopened_count > 0 as "isReopened"
    from unnest(${ids}::bigint[]) with ordinality as listed (id, position)
    cross join ${findingById(sql`listed.id`)}
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    cross join lateral (${primaryLocationOf({ isAnywhere: true })}) as place
    order by listed.position`;
}

/** Marks findings as done, by their ids or by ids of detections. Marking again updates the time. */
export const markDone = (tx: Tx, { caller, now }: CallerContext, ids: readonly string[]): Promise<number> =>
  tx.run`
    insert into inbox_done (deployment_id, reader, finding_id, at)
    select distinct ${caller.deployment}::bigint, ${principalOf(caller)}, named.finding_id, ${now}::timestamptz(3)
    from (${findingsByIds(ids)}) as named order by named.finding_id
    on conflict (deployment_id, reader, finding_id) do update set at = excluded.at`;

export const markUndone = (tx: Tx, { caller }: CallerContext, ids: readonly string[]): Promise<number> =>
  tx.run`
    delete from inbox_done where deployment_id = ${caller.deployment} and reader = ${principalOf(caller)}
      and finding_id in (select named.finding_id from (${findingsByIds(ids)}) as named)`;
