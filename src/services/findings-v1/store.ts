import { z } from 'zod';
import { refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { findingById, locationsOf, primaryLocationOf, statusesByRef } from '#domain/findings/filter/locations.ts';
import { auditRecordCount } from '#kernel/audit/audit-record.ts';
import { ListAnchors, type PageAnchor, type PageAnchors } from '#kernel/db/query/page-anchors.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findingRecordJson, overallStatus } from './finding-json.ts';

export interface V1PageRequest {
  filter: FindingFilter;
  statuses?: readonly string[];
  offset: number;
  limit: number;
}

const joinedTo = (source: Sql) => sql`
  from ${source}
  cross join ${findingById(sql`${source}.finding_id`)}
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id`;

const newestFirst = sql`hit.relevant_since desc, hit.finding_id desc`;

const End = z.object({ before: z.number(), key: z.array(z.string()) });
const PageRow = z.object({ records: z.string(), first: End.optional(), last: End.optional() });
const recordsOf = sql`'[' || coalesce(string_agg(record, ','), '') || ']' as records`;
const endOf = (row: Sql, before: Sql) => sql`
  jsonb_build_object('before', ${before},
    'key', jsonb_build_array(${row}.relevant_since::text, ${row}.finding_id::text))`;

const VersionRow = z.object({ version: z.string() });

/**
 * The anchors of the list that the caller reads. It changes when a caller writes something, which is audited, or when a
 * job changes findings, which changes their tallies.
 */
export const openAnchors = (
  tx: Tx,
  anchors: PageAnchors,
  { caller, now }: CallerContext,
  { filter, statuses }: V1PageRequest,
): Promise<ListAnchors> =>
  anchors.open({
    deployment: caller.deployment,
    list: ['findings', caller.credential, filter, statuses],
    now,
    versionSince: async (since) => {
      const row = await tx.one(VersionRow)`
        select concat_ws(' ', (select max(id) from finding_tally where deployment_id = ${caller.deployment}),
          ${auditRecordCount(caller.deployment, since)}) as version`;
      return row?.version ?? '';
    },
  });

interface AnchoredPage {
  /** The records to skip after the anchor. */
  page: V1PageRequest;
  anchor: PageAnchor | undefined;
}

/** Starts at the nearest known finding of the list instead of at its beginning. */
function startAt(anchors: ListAnchors, page: V1PageRequest): AnchoredPage {
  const anchor = anchors.nearest(page.offset);
  return { page: { ...page, offset: page.offset - (anchor?.before ?? 0) }, anchor };
}

async function foundBy(tx: Tx, context: CallerContext, { page, anchor }: AnchoredPage): Promise<Sql> {
  const { filter, offset, limit } = page;
  // The anchor itself is the first finding: ids are whole numbers, in descending order.
  const [since = '', id = '0'] = anchor?.key ?? [];
  const after = anchor ? ['', since, String(BigInt(id) + 1n)] : null;
  const plan = await planFindingList(tx, context, filter);
  return findingListSql({ filter, order: NEWEST_FIRST, after, limit: offset + limit }, plan);
}

type ListedPage = (tx: Tx, context: CallerContext, page: V1PageRequest, anchors?: ListAnchors) => Promise<string>;

const listedBy =
  (recordsSql: (found: Sql, page: V1PageRequest) => Sql): ListedPage =>
  async (tx, context, request, anchors = new ListAnchors()) => {
    const start = startAt(anchors, request);
    const row = await tx.one(PageRow)`${recordsSql(await foundBy(tx, context, start), start.page)}`;
    const passed = start.anchor?.before ?? 0;
    anchors.add([row?.first, row?.last].flatMap((end) => (end ? [{ ...end, before: passed + end.before }] : [])));
    return row?.records ?? '[]';
  };

/**
 * The records of one page of findings with one record for each ref. Findings of earlier pages are only counted: what a
 * record shows is joined to the findings of the page.
 */
export function recordsByRefSql(found: Sql, page: V1PageRequest): Sql {
  const { filter, statuses, offset, limit } = page;
  const isShown = statuses ? sql`place.status = any(${statuses}::text[])` : sql`place.status <> 'removed'`;
  return sql`
    with found as materialized (
      select listed.id as finding_id, listed.relevant_since from (${found}) as listed),
    hit as materialized (
      ${offset === 0 ? sql`select finding_id, relevant_since, 0 as first from found` : hitsAfterSql(page)}),
    place as materialized (
      select finding.id as finding_id, finding.relevant_since, place.*
      ${joinedTo(sql`hit`)}
      cross join lateral (${locationsOf(refScopeOf(filter))}) as place
      where ${isShown}
      order by ${newestFirst}, place.id desc
      offset ${offset}::bigint - (select min(first) from hit) limit ${limit}::int
    ),
    page as materialized (
      select ${findingRecordJson(false)} as record ${joinedTo(sql`place`)}
      order by place.relevant_since desc, place.finding_id desc, place.id desc
    ),
    numbered as (
      select finding_id, relevant_since, min(number) - 1 as before from (
        select finding_id, relevant_since,
          row_number() over (order by relevant_since desc, finding_id desc, id desc) as number from place) as place
      group by finding_id, relevant_since)
    select ${recordsOf},
      (select ${endOf(sql`hit`, sql`hit.first`)} from hit order by first, relevant_since desc, finding_id desc limit 1)
        as first,
      -- The first finding of the page can have records on the page before.
      (select ${endOf(sql`numbered`, sql`${offset}::bigint + numbered.before`)} from numbered where before > 0
        order by before desc limit 1) as last
    from page`;
}

/** The findings of `found` with a record on the page, each with the number of records before its own. */
function hitsAfterSql(page: V1PageRequest): Sql {
  const { offset, limit } = page;
  if (hasOneRecordEach(page))
    return sql`
      select finding_id, relevant_since, ${offset}::bigint as first from found
      order by relevant_since desc, finding_id desc offset ${offset}::bigint`;
  return sql`
    select finding_id, relevant_since, last - count as first from (
      select counted.*, (sum(count) over (order by relevant_since desc, finding_id desc))::bigint as last
      from (${recordCountsSql(page)}) as counted) as numbered
    where last > ${offset}::bigint and last - count < ${offset + limit}::bigint`;
}

/** A project has one ref of a name, and the findings that are found were detected there. */
function hasOneRecordEach({ filter: { and = [], refs = [], is, ids }, statuses }: V1PageRequest): boolean {
  const isFoundByStatus = (statuses ?? is ?? ids) !== undefined || and.length > 0;
  return !isFoundByStatus && refs.length === 1 && refs[0]?.kind === 'exact';
}

/**
 * The number of records of each of the findings `found`, read from as few tables as possible. An aggregate in a lateral
 * join is one index lookup per finding, where the planner would otherwise read all detections for a few of them.
 */
function recordCountsSql({ filter, statuses }: V1PageRequest): Sql {
  const scope = refScopeOf(filter);
  if (statuses)
    return sql`
      select found.*, shown.count from found
      cross join ${findingById(sql`found.finding_id`)}
      cross join lateral (
        select count(*) from (${statusesByRef(scope)}) as place
        where place.status = any(${statuses}::text[])) as shown`;
  const named = sql`
    join project_ref on project_ref.deployment_id = analysis.deployment_id and project_ref.id = analysis.ref_id`;
  return sql`
    select found.*, shown.count from found cross join lateral (
      select count(distinct analysis.ref_id) from detection
      join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
      ${scope.isAnyRef ? emptySql : named}
      where detection.deployment_id = (select current_deployment()) and detection.finding_id = found.finding_id
        and detection.state <> 'removed' and ${scope.ref ?? sql`true`}) as shown`;
}

/** The records of one page of findings with one record each. */
export function deduplicatedRecordsSql(found: Sql, { filter, offset }: V1PageRequest): Sql {
  const refScope = refScopeOf(filter);
  return sql`
    with found as materialized (${found}),
    hit as materialized (
      select id as finding_id, relevant_since,
        row_number() over (order by relevant_since desc, id desc) - 1 as before from found
      order by relevant_since desc, id desc offset ${offset}::bigint),
    page as materialized (
      select ${findingRecordJson(true)} as record
      ${joinedTo(sql`hit`)}
      cross join lateral (${primaryLocationOf(refScope)}) as place
      cross join lateral (select ${overallStatus(refScope.ref !== undefined)} as status) as shown
      order by ${newestFirst}
    )
    select ${recordsOf},
      (select ${endOf(sql`hit`, sql`hit.before`)} from hit order by before limit 1) as first,
      (select ${endOf(sql`hit`, sql`hit.before`)} from hit order by before desc limit 1) as last
    from page`;
}

/** Findings as JSON text, one record for each ref. Every finding has at least one record. */
export const listByRefJson: ListedPage = listedBy(recordsByRefSql);

/** Findings as JSON text, one record for each finding. */
export const listDeduplicatedJson: ListedPage = listedBy(deduplicatedRecordsSql);

const IdRow = z.object({ id: z.string() });

/** The ids by which the caller knows findings: the given ones, else one for each ref as in the list. */
export async function shownIdsOf(tx: Tx, findings: readonly string[], given: readonly string[]): Promise<string[]> {
  const rows = await tx.all(IdRow)`
    select id from (
      select finding.id from unnest(${findings}::bigint[]) as finding (id) where finding.id = any(${given}::bigint[])
      union all
      select min(detection.id) from unnest(${findings}::bigint[]) as finding (id)
      join detection on detection.deployment_id = (select current_deployment()) and detection.finding_id = finding.id
      join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
      where finding.id <> all(${given}::bigint[])
      group by finding.id, analysis.ref_id
    ) as shown order by id`;
  return rows.map(({ id }) => id);
}
