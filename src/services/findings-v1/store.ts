import { z } from 'zod';
import { refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { findingListSql, NEWEST_FIRST, planFindingList } from '#domain/findings/filter/finding-list.ts';
import { findingById, locationsOf, primaryLocationOf } from '#domain/findings/filter/locations.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
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

/** Findings as JSON text, one record for each ref. Every finding has at least one record. */
export async function listByRefJson(tx: Tx, context: CallerContext, page: V1PageRequest): Promise<string> {
  const { filter, statuses, offset, limit } = page;
  const request = { filter, order: NEWEST_FIRST, after: null, limit: offset + limit };
  const found = findingListSql(request, await planFindingList(tx, context, filter));
  const isShown = statuses ? sql`place.status = any(${statuses}::text[])` : sql`place.status <> 'removed'`;
  const row = await tx.one(RecordsJson)`
    with hit as materialized (
      select found.id as finding_id, found.relevant_since from (${found}) as found),
    place as materialized (
      select finding.id as finding_id, finding.relevant_since, place.*
      ${joinedTo(sql`hit`)}
      cross join lateral (${locationsOf(refScopeOf(filter))}) as place
      where ${isShown}
      order by ${newestFirst}, place.id desc offset ${offset}::bigint limit ${limit}::int
    ),
    page as materialized (
      select ${findingRecordJson(false)} as record ${joinedTo(sql`place`)}
      order by place.relevant_since desc, place.finding_id desc, place.id desc
    )
    select '[' || coalesce(string_agg(record, ','), '') || ']' as records from page`;
  return row?.records ?? '[]';
}

/** Findings as JSON text, one record for each finding. */
export async function listDeduplicatedJson(tx: Tx, context: CallerContext, page: V1PageRequest): Promise<string> {
  const { filter, offset, limit } = page;
  const request = { filter, order: NEWEST_FIRST, after: null, limit: offset + limit };
  const refScope = refScopeOf(filter);
  const row = await tx.one(RecordsJson)`
    with found as materialized (${findingListSql(request, await planFindingList(tx, context, filter))}),
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
    select '[' || coalesce(string_agg(record, ','), '') || ']' as records from page`;
  return row?.records ?? '[]';
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
