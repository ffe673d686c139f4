import type { z } from 'zod';
import { readerOf } from '#domain/access/reader.ts';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { namedFindings } from '#domain/findings/ids.ts';
import { allWanted, NEWEST_FIRST, pageOf } from '#domain/findings/list.ts';
import { findingOf, mainPlaceOf } from '#domain/findings/places.ts';
import { filterOfText } from '#domain/findings/query-filter.ts';
import { PRODUCTS, SEVERITY_NAMES } from '#domain/findings/shape.ts';
import type { Page } from '#kernel/db/page.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { listReview } from './contract.ts';

export const MOST_COUNTED = 10_000;

export const severityName: Sql = sql`(${[...SEVERITY_NAMES]}::text[])[finding.severity + 1]`;

/** What waits to be looked at, as the filter bar has it. */
export const REVIEW = 'is:open is:unseen relevant:>-30d';

const reviewFilter = (now: Date): Filter => ({ products: PRODUCTS, ...filterOfText(REVIEW, now, '') });

/** How many wait, up to a number beyond which nobody cares. */
export async function countReview(tx: Tx, asking: Asking): Promise<number> {
  const [row] = await tx.rows`
    select count(*)::integer as count from (
      select from finding where ${await allWanted(tx, asking, reviewFilter(asking.now))}
      limit ${MOST_COUNTED}::int) as waiting`;
  return Number(row?.['count']);
}

const Item = listReview.reply.shape.issues.element;

/** One page of what waits to be looked at. */
export async function reviewOf(tx: Tx, asking: Asking, page: Page): Promise<z.output<typeof Item>[]> {
  const want = { filter: reviewFilter(asking.now), order: NEWEST_FIRST, page };
  const ids = await pageOf(tx, asking, want);
  return tx.all(Item)`
    select finding.id as "issueId", finding.title, ${severityName} as severity, project.name as "projectName",
      'ISSUE_TYPE_' || upper(finding.product) as type, place.path, place.line, place.ref,
      finding.first_seen_at as "firstSeenAt", finding.reopened_count > 0 as "isReopened"
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, position)
    cross join ${findingOf(sql`wanted.id`)}
    join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    cross join lateral (${mainPlaceOf({ isAnywhere: true })}) as place
    order by wanted.position`;
}

/** Marks findings, by their ids or those of their detections; the same again is only later. */
export const markDone = (tx: Tx, { caller, now }: Asking, ids: readonly string[]): Promise<number> =>
  tx.run`
    insert into inbox_done (deployment_id, reader, finding_id, at)
    select distinct ${caller.deployment}::bigint, ${readerOf(caller)}, named.finding_id, ${now}::timestamptz(3)
    from (${namedFindings(ids)}) as named order by named.finding_id
    on conflict (deployment_id, reader, finding_id) do update set at = excluded.at`;

export const markUndone = (tx: Tx, { caller }: Asking, ids: readonly string[]): Promise<number> =>
  tx.run`
    delete from inbox_done where deployment_id = ${caller.deployment} and reader = ${readerOf(caller)}
      and finding_id in (select named.finding_id from (${namedFindings(ids)}) as named)`;
