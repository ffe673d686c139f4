import type { z } from 'zod';
import { cweOf } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { type CountSource, countSourceOf, countSql, FINDING_ROWS } from '#domain/findings/metrics/tally.ts';
import type { Query } from '#domain/query/ast.ts';
import { termsForKey, withoutTerm, withTerm } from '#domain/query/edit-query.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filtersByKind } from '../all-findings/merged-list.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import type { IssueFilter } from '../list/filter-shape.ts';
import type { groupIssues } from './contract.ts';
import type { IssueGrouping } from './shape.ts';
import { workflowGroupRows } from './workflow-groups.ts';

interface Kind {
  /** Findings of different projects are different groups. */
  isByProject: boolean;
  /** What else they are grouped by, as text. */
  name: Sql;
  from?: Sql;
  where?: Sql;
  /** The keys that name a group in the filter bar. */
  keys: FilterKey[];
  /** A finding has one of these, so that a group needs no further word of it. */
  isSingle: boolean;
}

const KINDS: Record<IssueGrouping, Kind> = {
  GROUP_BY_RULE: { isByProject: false, name: sql`finding.rule`, keys: ['rule'], isSingle: true },
  GROUP_BY_PROJECT: { isByProject: true, name: sql`''::text`, keys: ['project'], isSingle: true },
  GROUP_BY_PATH: { isByProject: true, name: sql`finding.path`, keys: ['project', 'path'], isSingle: true },
  GROUP_BY_CWE: {
    isByProject: false,
    name: sql`named.weakness`,
    from: sql`cross join lateral (
      select distinct ${cweOf(sql`entry`)} as weakness from unnest(finding.cwes) as entry)
      as named`,
    where: sql`and named.weakness is not null`,
    keys: ['cwe'],
    isSingle: false,
  },
  GROUP_BY_DEPENDENCY: {
    isByProject: false,
    name: sql`finding.package`,
    where: sql`and finding.package is not null`,
    keys: ['package'],
    isSingle: true,
  },
};

/** The filter bar that shows one group of a query. */
function barOf(query: Query, { keys, isSingle }: Pick<Kind, 'keys' | 'isSingle'>, values: readonly string[]): string {
  let bar = query;
  for (const [index, key] of keys.entries()) {
    if (isSingle) bar = termsForKey(bar, key).reduce(withoutTerm, bar);
    bar = withTerm(bar, { key, isNot: false, values: [{ kind: 'exact', value: values[index] ?? '' }] });
  }
  return formatQuery(bar);
}

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
type Group = z.output<typeof groupIssues.reply>['groups'][number];

function groupOf(row: Record<string, unknown>, query: Query, kind: Kind): Group {
  const [project, name] = [String(row['project_name'] ?? ''), String(row['name'])];
  const values = kind.keys.map((key) => (key === 'project' ? project : name));
  const numbers = (row['severities'] as string[]).map(Number);
  const of = (name: (typeof SEVERITIES)[number]) => numbers[SEVERITIES.indexOf(name)] ?? 0;
  return {
    key: kind.isByProject ? [String(row['project_id']), ...(name === '' ? [] : [name])].join(':') : name,
    label: [...values].reverse().join(' · '),
    // What workflows found may be in several groups, and must meet what the query says of the others too.
    q: barOf(query, { ...kind, isSingle: kind.isSingle && Number(row['workflows']) === 0 }, values),
    count: Number(row['count']),
    severities: {
      critical: of('critical'),
      high: of('high'),
      medium: of('medium'),
      low: of('low'),
      info: of('info'),
    },
    newestAt: new Date(String(row['newest_at'])),
  };
}

export interface IssueGroupRequest {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  includeWorkflows?: boolean | undefined;
  groupBy: IssueGrouping;
  window: PageWindow;
}

/** Fewer than this are soon read one by one. */
const FEW = 20_000;

/** Paths are in no tally. Where few are meant the newest of a group may be hard to find among what else there is. */
async function sourceFor(
  tx: Tx,
  { kind, meant, wanted }: { kind: Kind; meant: FindingFilter; wanted: Sql },
): Promise<CountSource> {
  const source = countSourceOf(meant);
  if (!source.isTally || kind === KINDS.GROUP_BY_PATH) return FINDING_ROWS;
  const [row] = await tx.rows`select ${countSql(source)} as count from ${source.from} where ${wanted}`;
  return Number(row?.['count']) > FEW ? source : FINDING_ROWS;
}

/** When the newest of a group became relevant: the first that an index of its project, or of one of its rules, has. */
const newestOf = ({ isByProject, where = emptySql, from = emptySql, name }: Kind, wanted: Sql): Sql => {
  const first = (condition: Sql) => sql`
    select finding.relevant_since from finding ${from} where ${condition} and ${wanted} ${where}
      and ${isByProject ? sql`true` : sql`${name} = page.name`}
    order by finding.relevant_since desc, finding.id desc limit 1`;
  return isByProject
    ? sql`(${first(sql`finding.project_id = page.project_id`)})`
    : sql`(select max(newest.relevant_since) from unnest(page.rules) as rule (id)
        cross join lateral (${first(sql`finding.rule = rule.id`)}) as newest)`;
};

interface Part {
  /** Lines with `project_id`, `name`, `severity`, `since`, `workflow`, `weight` and, in a tally, `rule`. */
  lines: Sql;
  /** When the newest of a group became relevant, beyond what lines say. */
  newest: Sql;
}

/** What scanners found. */
async function scannersPart(
  tx: Tx,
  asking: CallerContext,
  { kind, filter }: { kind: Kind; filter: FindingFilter },
): Promise<Part> {
  const meant = await resolveTextSearch(tx, filter);
  const wanted = await allMatchingSql(tx, asking, meant);
  const source = await sourceFor(tx, { kind, meant, wanted });
  const lines = sql`
    select ${kind.isByProject ? sql`finding.project_id` : sql`0::bigint`} as project_id,
      ${kind.name} collate "C" as name, finding.severity::int as severity,
      ${source.isTally ? sql`null::timestamptz` : sql`finding.relevant_since`} as since, 0 as workflow,
      ${source.weight} as weight, ${source.isTally ? sql`finding.rule` : sql`null::text`} as rule
    from ${source.from} ${kind.from ?? emptySql} where ${wanted} ${kind.where ?? emptySql}`;
  return { lines, newest: source.isTally ? newestOf(kind, wanted) : sql`null::timestamptz` };
}

/** What is grouped: of one kind, or of both. */
async function partsOf(
  tx: Tx,
  asking: CallerContext,
  { q = '', filter, groupBy, includeWorkflows = false }: IssueGroupRequest,
): Promise<Part[]> {
  const kind = KINDS[groupBy];
  const filters = filtersByKind({ q, filter }, asking.now);
  const issue = includeWorkflows ? filters.issue : findingFilterOf({ filter, q }, asking.now);
  const workflow = includeWorkflows ? filters.workflow : undefined;
  const lines =
    workflow &&
    sql`select line.*, 1 as weight, null::text as rule
    from (${workflowGroupRows(groupBy, workflow, asking)}) as line`;
  return [
    ...(issue ? [await scannersPart(tx, asking, { kind, filter: issue })] : []),
    ...(lines ? [{ lines, newest: sql`null::timestamptz` }] : []),
  ];
}

/** A page of the groups with most issues first, and the number of all groups. */
export async function findIssueGroups(
  tx: Tx,
  asking: CallerContext,
  question: IssueGroupRequest,
): Promise<{ rows: { group: Group; sortKey: string[] }[]; total: number }> {
  const { q = '', groupBy, window } = question;
  const { after, limit } = window;
  const kind = KINDS[groupBy];
  const parts = await partsOf(tx, asking, question);
  if (parts.length === 0) return { rows: [], total: 0 };
  const rank = (severity: number) => sql`coalesce(sum(weight) filter (where severity = ${severity}::int), 0)`;
  const [count, project, name] = after ?? [];
  const isPast = after
    ? sql`where count < ${count}::bigint or (count = ${count}::bigint
        and (project_id, name) > (${project}::bigint, ${name}::text))`
    : emptySql;
  const lines = join(
    parts.map((part) => part.lines),
    sql` union all `,
  );
  const newest = join(
    parts.map((part) => part.newest),
    sql`, `,
  );
  const rows = await tx.rows`
    with grouped as materialized (
      select project_id, name, sum(weight)::bigint as count,
        array[${rank(0)}, ${rank(1)}, ${rank(2)}, ${rank(3)}, ${rank(4)}] as severities,
        max(since) as since, sum(workflow) as workflows,
        array_agg(distinct rule) filter (where rule is not null) as rules
      from (${lines}) as line
      group by 1, 2 having sum(weight) > 0
    )
    select page.*, project.name as project_name, (select count(*) from grouped) as total,
      greatest(page.since, ${newest}) as newest_at
    from (select * from grouped ${isPast} order by count desc, project_id, name limit ${limit + 1}::int) as page
    left join project on project.deployment_id = (select current_deployment()) and project.id = page.project_id
    order by page.count desc, page.project_id, page.name`;
  const { query } = parseFilter(q);
  return {
    total: Number(rows[0]?.['total'] ?? 0),
    rows: rows.map((row) => ({
      group: groupOf(row, query, kind),
      sortKey: [String(row['count']), String(row['project_id']), String(row['name'])],
    })),
  };
}
