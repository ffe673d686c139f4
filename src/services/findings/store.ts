import { type Asking, contextOf, type Filter } from '#domain/findings/filter.ts';
import { hits, NEWEST_FIRST, questionOf } from '#domain/findings/list.ts';
import { mainPlaceOf, placesOf } from '#domain/findings/places.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { overallStatus, recordText } from './record-text.ts';

export interface V1Page {
  filter: Filter;
  statuses?: readonly string[];
  offset: number;
  limit: number;
}

const joinedTo = (hit: Sql) => sql`
  from ${hit}
  join finding on finding.deployment_id = (select current_deployment()) and finding.id = ${hit}.finding_id
  join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id`;

const newestFirst = sql`hit.relevant_since desc, hit.finding_id desc`;

/** Findings as JSON text, one record for each ref that has one. Every finding gives at least one record. */
export async function listRowsText(tx: Tx, asking: Asking, page: V1Page): Promise<string> {
  const { filter, statuses, offset, limit } = page;
  const want = { filter, order: NEWEST_FIRST, after: null, limit: offset + limit };
  const isShown = statuses ? sql`place.status = any(${statuses}::text[])` : sql`place.status <> 'removed'`;
  const [row] = await tx.rows`
    with hit as materialized (
      select found.id as finding_id, found.relevant_since from (${hits(want, await questionOf(tx, asking, filter))}) as found),
    place as materialized (
      select finding.id as finding_id, finding.relevant_since, place.*
      ${joinedTo(sql`hit`)}
      cross join lateral (${placesOf(contextOf(filter))}) as place
      where ${isShown}
      order by ${newestFirst}, place.id desc offset ${offset}::bigint limit ${limit}::int
    ),
    page as materialized (
      select ${recordText(false)} as record ${joinedTo(sql`place`)}
      order by place.relevant_since desc, place.finding_id desc, place.id desc
    )
    select '[' || coalesce(string_agg(record, ','), '') || ']' as records from page`;
  return String(row?.['records']);
}

/** Findings as JSON text, one record for each, whichever refs have it. */
export async function listDeduplicatedText(tx: Tx, asking: Asking, page: V1Page): Promise<string> {
  const { filter, offset, limit } = page;
  const want = { filter, order: NEWEST_FIRST, after: null, limit: offset + limit };
  const context = contextOf(filter);
  const [row] = await tx.rows`
    with found as materialized (${hits(want, await questionOf(tx, asking, filter))}),
    hit as materialized (
      select id as finding_id, relevant_since from found order by relevant_since desc, id desc offset ${offset}::bigint),
    page as materialized (
      select ${recordText(true)} as record
      ${joinedTo(sql`hit`)}
      cross join lateral (${mainPlaceOf(context)}) as place
      cross join lateral (select ${overallStatus(context.ref !== undefined)} as status) as shown
      order by ${newestFirst}
    )
    select '[' || coalesce(string_agg(record, ','), '') || ']' as records from page`;
  return String(row?.['records']);
}

/** The ids by which the caller knows findings: those that were given, else one for each ref, as the list shows them. */
export async function idsOf(tx: Tx, findings: readonly string[], given: readonly string[]): Promise<string[]> {
  const rows = await tx.rows`
    select id from (
      select finding.id from unnest(${findings}::bigint[]) as finding (id) where finding.id = any(${given}::bigint[])
      union all
      select min(detection.id) from unnest(${findings}::bigint[]) as finding (id)
      join detection on detection.deployment_id = (select current_deployment()) and detection.finding_id = finding.id
      join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
      where finding.id <> all(${given}::bigint[])
      group by finding.id, analysis.branch_id
    ) as shown order by id`;
  return rows.map((row) => String(row['id']));
}
