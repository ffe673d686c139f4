import { displayStatus } from '#domain/findings/filter/finding-conditions.ts';
import { findingsByIds } from '#domain/findings/filter/finding-ids.ts';
import { findingById, rankedLocations } from '#domain/findings/filter/locations.ts';
import { escapedJson, fixed, jsonArray, jsonObject, jsonText, unescaped } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql, sqlTemplate } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { codeSnippetsJson, type IncludedIssueParts, issueJson, relatedIssueJson } from './issue-json.ts';
import { Issue } from './shape.ts';

const wholly = sql`rows between unbounded preceding and unbounded following`;

const places = (wanted: Sql): Sql => sql`
  select place.*,
    string_agg(${relatedIssueJson}, ',') filter (where place.rank > 1)
      over (partition by place.position order by place.id ${wholly}) as related,
    string_agg(${escapedJson(sql`place.ref`)}, ',') over (partition by place.position order by place.ref ${wholly}) as refs
  from (${rankedLocations(wanted)}) as place`;

/** What an issue is made of: a finding, its project, the place that is shown of it, and what people asked for. */
const joined = (wanted: Sql): Sql => sql`
  from (${places(wanted)}) as place
  cross join ${findingById(sql`place.finding_id`)}
  cross join lateral (select place.project_id as id, place.project_name as name, place.project_url as url,
    place.archived_at) as project
  cross join lateral (select
    case when place.wanted_id = finding.id then ${displayStatus} else place.status end as status,
    case when place.wanted_id = finding.id then finding.is_muted else place.is_muted end as is_muted) as shown`;

export interface IssueSelection {
  ids: readonly string[];
  included: IncludedIssueParts;
  /** What the caller may decide about them. */
  permission: string;
}

const asking = (permission: unknown) => sql`cross join (select ${permission}::text as permission) as asking`;

const textsOf = (tx: Tx, { ids, included, permission }: IssueSelection) => tx.rows`
  select place.wanted_id as id, ${issueJson(included)} as issue
  ${joined(findingsByIds(ids))} ${asking(permission)}
  where place.rank = 1 order by place.position`;

/** The issues of these ids, in their order; the caller has chosen them from what may be seen. */
export async function findMany(tx: Tx, wanted: IssueSelection): Promise<Issue[]> {
  const rows = await textsOf(tx, wanted);
  return rows.map((row) => Issue.parse(JSON.parse(String(row['issue']))));
}

/** The same by their ids, as JSON text that PostgreSQL built. */
export async function findIssuesJson(tx: Tx, wanted: IssueSelection): Promise<Map<string, string>> {
  const rows = await textsOf(tx, wanted);
  return new Map(rows.map((row) => [String(row['id']), String(row['issue'])]));
}

/** Ids that a list gave are those of findings. */
const listedFindings = (ids: unknown) => sql`
  select wanted.id, wanted.position, wanted.id as finding_id
  from unnest(${ids}::bigint[]) with ordinality as wanted (id, position)`;

const rowText = (included: IncludedIssueParts) =>
  jsonObject({
    issue: jsonText(issueJson(included)),
    reviewCount: fixed('0'),
    triageCount: unescaped(sql`coalesce(triaged.count, 0)`),
    allRefs: jsonText(sql`'[' || place.refs || ']'`),
    aiSilencedCount: fixed('0'),
    allReviewThreadIds: fixed([]),
    allReviewComments: fixed([]),
  });

const listOf = (included: IncludedIssueParts) =>
  sqlTemplate(
    ['ids', 'permission'],
    ({ ids, permission }) => sql`
      select ${jsonArray(rowText(included), sql`place.position`)} as issues
      ${joined(listedFindings(ids))} ${asking(permission)}
      left join (
        select event.finding_id, count(*) from finding_event as event
        where event.deployment_id = (select current_deployment()) and event.finding_id = any(${ids}::bigint[])
          and event.kind = 'triaged' group by event.finding_id) as triaged on triaged.finding_id = finding.id
      where place.rank = 1`,
  );

/** There are few kinds of lists, and each is put together once. */
const lists = new Map<string, ReturnType<typeof listOf>>();

/** The same as rows of the list, and as JSON text that PostgreSQL built; the ids are those of findings. */
export async function listIssuesJson(tx: Tx, { ids, included, permission }: IssueSelection): Promise<string> {
  const key = JSON.stringify(included);
  const list = lists.get(key) ?? listOf(included);
  lists.set(key, list);
  const [row] = await tx.rows`${list({ ids, permission })}`;
  return String(row?.['issues']);
}

/** The code of an issue, as far as the scanner sent it. */
export async function findCodeSnippets(tx: Tx, id: string): Promise<{ path: string; content: string }[]> {
  const [row] =
    await tx.rows`select ${codeSnippetsJson} as snippets ${joined(findingsByIds([id]))} where place.rank = 1`;
  return JSON.parse(String(row?.['snippets'] ?? '[]')) as { path: string; content: string }[];
}

/** The way of the data, as the scanner sent it. */
export async function findRawTrace(tx: Tx, id: string): Promise<unknown> {
  const [row] = await tx.rows`
    select finding.detail->'trace' as trace
    from (${findingsByIds([id])}) as wanted cross join ${findingById(sql`wanted.finding_id`)}`;
  return row?.['trace'];
}

export async function versionOf(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.rows`
    select finding.version from (${findingsByIds([id])}) as wanted cross join ${findingById(sql`wanted.finding_id`)}`;
  return String(row?.['version']);
}

/** How many refs these findings are or were on: what older clients call issues. */
export async function countRefsOf(tx: Tx, findings: readonly string[]): Promise<number> {
  const [row] = await tx.rows`
    select count(distinct (detection.finding_id, analysis.ref_id))::integer as count from detection
    join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
    where detection.deployment_id = (select current_deployment())
      and detection.finding_id = any(${findings}::bigint[])`;
  return Number(row?.['count']);
}
