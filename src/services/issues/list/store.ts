import { z } from 'zod';
import { displayStatus } from '#domain/findings/filter/finding-conditions.ts';
import { findingsByIds } from '#domain/findings/filter/finding-ids.ts';
import { findingById, rankedLocations } from '#domain/findings/filter/locations.ts';
import { escapedJson, fixed, jsonArray, jsonObject, jsonText, unescaped } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql, sqlTemplate } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { codeSnippetsJson, type IncludedIssueParts, issueJson, relatedIssueJson } from './issue-json.ts';
import { CodeSnippet, Issue } from './shape.ts';

const wholePartition = sql`rows between unbounded preceding and unbounded following`;

const locationsOf = (findings: Sql): Sql => sql`
  select place.*,
    string_agg(${relatedIssueJson}, ',') filter (where place.rank > 1)
      over (partition by place.position order by place.id ${wholePartition}) as related,
    string_agg(${escapedJson(sql`place.ref`)}, ',')
      over (partition by place.position order by place.ref ${wholePartition}) as refs
  from (${rankedLocations(findings)}) as place`;

/** Joins each finding with its project and the location that is shown. */
const joined = (findings: Sql): Sql => sql`
  from (${locationsOf(findings)}) as place
  cross join ${findingById(sql`place.finding_id`)}
  cross join lateral (select place.project_id as id, place.project_name as name, place.project_url as url,
    place.archived_at) as project
  cross join lateral (select
    case when place.wanted_id = finding.id then ${displayStatus} else place.status end as status,
    case when place.wanted_id = finding.id then finding.is_muted else place.is_muted end as is_muted) as shown`;

export interface IssueSelection {
  ids: readonly string[];
  included: IncludedIssueParts;
  /** The triage permission of the caller. */
  permission: string;
}

const viewer = (permission: unknown) => sql`cross join (select ${permission}::text as permission) as viewer`;

const IssueRow = z.object({ id: z.string(), issue: z.string() });

const findRows = (tx: Tx, { ids, included, permission }: IssueSelection) => tx.all(IssueRow)`
  select place.wanted_id as id, ${issueJson(included)} as issue
  ${joined(findingsByIds(ids))} ${viewer(permission)}
  where place.rank = 1 order by place.position`;

/** The issues with these ids, in the given order. The caller must have checked visibility. */
export async function findMany(tx: Tx, selection: IssueSelection): Promise<Issue[]> {
  const rows = await findRows(tx, selection);
  return rows.map(({ issue }) => Issue.parse(JSON.parse(issue)));
}

/** The same as JSON text by id. */
export async function findIssuesJson(tx: Tx, selection: IssueSelection): Promise<Map<string, string>> {
  const rows = await findRows(tx, selection);
  return new Map(rows.map(({ id, issue }) => [id, issue]));
}

/** A list returns ids of findings, never of detections. */
const listedFindings = (ids: unknown) => sql`
  select listed.id, listed.position, listed.id as finding_id
  from unnest(${ids}::bigint[]) with ordinality as listed (id, position)`;

const listedIssueJson = (included: IncludedIssueParts) =>
  jsonObject({
    issue: jsonText(issueJson(included)),
    reviewCount: fixed('0'),
    triageCount: unescaped(sql`coalesce(triaged.count, 0)`),
    allRefs: jsonText(sql`'[' || place.refs || ']'`),
    aiSilencedCount: fixed('0'),
    allReviewThreadIds: fixed([]),
    allReviewComments: fixed([]),
  });

const listTemplate = (included: IncludedIssueParts) =>
  sqlTemplate(
    ['ids', 'permission'],
    ({ ids, permission }) => sql`
      select ${jsonArray(listedIssueJson(included), sql`place.position`)} as issues
      ${joined(listedFindings(ids))} ${viewer(permission)}
      left join (
        select event.finding_id, count(*) from finding_event as event
        where event.deployment_id = (select current_deployment()) and event.finding_id = any(${ids}::bigint[])
          and event.kind = 'triaged' group by event.finding_id) as triaged on triaged.finding_id = finding.id
      where place.rank = 1`,
  );

/** Statement templates by included parts: there are few combinations, so each is rendered once. */
const listTemplates = new Map<string, ReturnType<typeof listTemplate>>();

const IssuesJson = z.object({ issues: z.string() });

/** The rows of an issue list as one JSON text. The ids must be ids of findings. */
export async function listIssuesJson(tx: Tx, { ids, included, permission }: IssueSelection): Promise<string> {
  const key = JSON.stringify(included);
  const list = listTemplates.get(key) ?? listTemplate(included);
  listTemplates.set(key, list);
  const row = await tx.one(IssuesJson)`${list({ ids, permission })}`;
  return row?.issues ?? '[]';
}

const SnippetsRow = z.object({ snippets: z.string() });

/** The code of an issue, if the scanner sent it. */
export async function findCodeSnippets(tx: Tx, id: string): Promise<z.output<typeof CodeSnippet>[]> {
  const row = await tx.one(SnippetsRow)`
    select ${codeSnippetsJson} as snippets ${joined(findingsByIds([id]))} where place.rank = 1`;
  return z.array(CodeSnippet).parse(JSON.parse(row?.snippets ?? '[]'));
}

const TraceRow = z.object({ trace: z.unknown().optional() });

/** The dataflow trace as the scanner sent it. */
export async function findRawTrace(tx: Tx, id: string): Promise<unknown> {
  const row = await tx.one(TraceRow)`
    select finding.detail->'trace' as trace
    from (${findingsByIds([id])}) as named cross join ${findingById(sql`named.finding_id`)}`;
  return row?.trace;
}

const VersionRow = z.object({ version: z.string() });

export async function versionOf(tx: Tx, id: string): Promise<string> {
  const row = await tx.one(VersionRow)`
    select finding.version::text as version
    from (${findingsByIds([id])}) as named cross join ${findingById(sql`named.finding_id`)}`;
  if (!row) throw new Error(`Finding ${id} does not exist.`);
  return row.version;
}

const CountRow = z.object({ count: z.int() });

/** Counts pairs of finding and ref, which older clients call issues. */
export async function countRefsOf(tx: Tx, findings: readonly string[]): Promise<number> {
  const row = await tx.one(CountRow)`
    select count(distinct (detection.finding_id, analysis.ref_id))::integer as count from detection
    join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
    where detection.deployment_id = (select current_deployment())
      and detection.finding_id = any(${findings}::bigint[])`;
  return row?.count ?? 0;
}
