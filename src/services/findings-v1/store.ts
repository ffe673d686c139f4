import { z } from 'zod';
import { refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { findingById, locationsOf, primaryLocationOf, statusesByRef } from '#domain/findings/filter/locations.ts';
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

const RecordsJson = z.object({ records: z.string() });
const recordsOf = sql`'[' || coalesce(string_agg(record, ','), '') || ']' as records`;

const foundBy = async (tx: Tx, context: CallerContext, { filter, offset, limit }: V1PageRequest): Promise<Sql> =>
  findingListSql(
    { filter, order: NEWEST_FIRST, after: null, limit: offset + limit },
    await planFindingList(tx, context, filter),
  );

/** Findings as JSON text, one record for each ref. Every finding has at least one record. */
export async function listByRefJson(tx: Tx, context: CallerContext, page: V1PageRequest): Promise<string> {
  const row = await tx.one(RecordsJson)`${recordsByRefSql(await foundBy(tx, context, page), page)}`;
  return row?.records ?? '[]';
}

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
    )
    select ${recordsOf} from page`;
}

/** The findings of `found` with a record on the page, each with the number of records before its own. */
const hitsAfterSql = (page: V1PageRequest): Sql => sql`
  select finding_id, relevant_since, last - count as first from (
    select counted.*, (sum(count) over (order by relevant_since desc, finding_id desc))::bigint as last
    from (${recordCountsSql(page)}) as counted) as numbered
  where last > ${page.offset}::bigint and last - count < ${page.offset + page.limit}::bigint`;

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

/** Findings as JSON text, one record for each finding. */
export async function listDeduplicatedJson(tx: Tx, context: CallerContext, page: V1PageRequest): Promise<string> {
  const row = await tx.one(RecordsJson)`${deduplicatedRecordsSql(await foundBy(tx, context, page), page)}`;
  return row?.records ?? '[]';
}

/** The records of one page of findings with one record each. */
export function deduplicatedRecordsSql(found: Sql, { filter, offset }: V1PageRequest): Sql {
  const refScope = refScopeOf(filter);
  return sql`
    with found as materialized (${found}),
    hit as materialized (
      select id as finding_id, relevant_since from found
      order by relevant_since desc, id desc offset ${offset}::bigint),
    page as materialized (
      select ${findingRecordJson(true)} as record
      ${joinedTo(sql`hit`)}
      cross join lateral (${primaryLocationOf(refScope)}) as place
      cross join lateral (select ${overallStatus(refScope.ref !== undefined)} as status) as shown
      order by ${newestFirst}
    )
    select ${recordsOf} from page`;
}

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
