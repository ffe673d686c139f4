import { z } from 'zod';
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
import { count, timestamp } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filtersByKind } from '../all-findings/merged-list.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import type { IssueFilter } from '../list/filter-shape.ts';
import type { groupIssues } from './contract.ts';
import type { IssueGrouping } from './shape.ts';
import { workflowGroupRows } from './workflow-groups.ts';

interface GroupKind {
  /** Findings of different projects are in different groups. */
  isByProject: boolean;
  /** The grouping expression, as text. */
  name: Sql;
  from?: Sql;
  where?: Sql;
  /** The filter keys that select one group. */
  keys: FilterKey[];
  /** A finding has exactly one value of these keys, so other terms of the same key are redundant. */
  isSingle: boolean;
}

const KINDS: Record<IssueGrouping, GroupKind> = {
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

/** The filter text that selects one group of a query. */
function filterTextOf(
  query: Query,
  { keys, isSingle }: Pick<GroupKind, 'keys' | 'isSingle'>,
  values: readonly string[],
): string {
  let selected = query;
  for (const [index, key] of keys.entries()) {
    if (isSingle) selected = termsForKey(selected, key).reduce(withoutTerm, selected);
    selected = withTerm(selected, { key, isNot: false, values: [{ kind: 'exact', value: values[index] ?? '' }] });
  }
  return formatQuery(selected);
}

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
type Group = z.output<typeof groupIssues.reply>['groups'][number];

const GroupRow = z.object({
  project_id: z.string(),
  project_name: z.string().optional(),
  name: z.string(),
  count: z.string(),
  severities: z.array(z.coerce.number()),
  workflows: z.coerce.number(),
  newest_at: timestamp(),
  total: count(),
});

function groupOf(row: z.output<typeof GroupRow>, query: Query, kind: GroupKind): Group {
  const { name, project_name: project = '' } = row;
  const values = kind.keys.map((key) => (key === 'project' ? project : name));
  const countOf = (severity: (typeof SEVERITIES)[number]) => row.severities[SEVERITIES.indexOf(severity)] ?? 0;
  return {
    key: kind.isByProject ? [row.project_id, ...(name === '' ? [] : [name])].join(':') : name,
    label: [...values].reverse().join(' · '),
    // Workflow issues can be in several groups, so the other terms of the query must stay.
    q: filterTextOf(query, { ...kind, isSingle: kind.isSingle && row.workflows === 0 }, values),
    count: Number(row.count),
    severities: {
      critical: countOf('critical'),
      high: countOf('high'),
      medium: countOf('medium'),
      low: countOf('low'),
      info: countOf('info'),
    },
    newestAt: row.newest_at,
  };
}

export interface IssueGroupRequest {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  includeWorkflows?: boolean | undefined;
  groupBy: IssueGrouping;
  window: PageWindow;
}

/** Up to this many findings, reading the rows is faster than reading the tally. */
const MAX_ROWS_READ = 20_000;

/**
 * The tally has no paths. With few matches, finding the newest of each group through an index is slower than a scan.
 */
async function sourceFor(
  tx: Tx,
  { kind, filter, matching }: { kind: GroupKind; filter: FindingFilter; matching: Sql },
): Promise<CountSource> {
  const source = countSourceOf(filter);
  if (!source.isTally || kind === KINDS.GROUP_BY_PATH) return FINDING_ROWS;
  const row = await tx.one(RowCount)`select ${countSql(source)} as count from ${source.from} where ${matching}`;
  return (row?.count ?? 0) > MAX_ROWS_READ ? source : FINDING_ROWS;
}

/** The newest `relevant_since` of a group, read from the index of its project or of its rules. */
const newestOf = ({ isByProject, where = emptySql, from = emptySql, name }: GroupKind, matching: Sql): Sql => {
  const first = (condition: Sql) => sql`
    select finding.relevant_since from finding ${from} where ${condition} and ${matching} ${where}
      and ${isByProject ? sql`true` : sql`${name} = page.name`}
    order by finding.relevant_since desc, finding.id desc limit 1`;
  return isByProject
    ? sql`(${first(sql`finding.project_id = page.project_id`)})`
    : sql`(select max(newest.relevant_since) from unnest(page.rules) as rule (id)
        cross join lateral (${first(sql`finding.rule = rule.id`)}) as newest)`;
};

interface GroupSource {
  /** Rows of `project_id`, `name`, `severity`, `since`, `workflow`, `weight` and, from a tally, `rule`. */
  rows: Sql;
  /** The newest `relevant_since` of a group, if the rows do not have it. */
  newest: Sql;
}

/** Findings of scanners. */
async function findingRows(
  tx: Tx,
  context: CallerContext,
  { kind, filter }: { kind: GroupKind; filter: FindingFilter },
): Promise<GroupSource> {
  const resolved = await resolveTextSearch(tx, filter);
  const matching = await allMatchingSql(tx, context, resolved);
  const source = await sourceFor(tx, { kind, filter: resolved, matching });
  const rows = sql`
    select ${kind.isByProject ? sql`finding.project_id` : sql`0::bigint`} as project_id,
      ${kind.name} collate "C" as name, finding.severity::int as severity,
      ${source.isTally ? sql`null::timestamptz` : sql`finding.relevant_since`} as since, 0 as workflow,
      ${source.weight} as weight, ${source.isTally ? sql`finding.rule` : sql`null::text`} as rule
    from ${source.from} ${kind.from ?? emptySql} where ${matching} ${kind.where ?? emptySql}`;
  return { rows, newest: source.isTally ? newestOf(kind, matching) : sql`null::timestamptz` };
}

/** The sources of the groups: findings, workflow issues or both. */
async function groupSourcesOf(
  tx: Tx,
  context: CallerContext,
  { q = '', filter, groupBy, includeWorkflows = false }: IssueGroupRequest,
): Promise<GroupSource[]> {
  const kind = KINDS[groupBy];
  const filters = filtersByKind({ q, filter }, context.now);
  const issue = includeWorkflows ? filters.issue : findingFilterOf({ filter, q }, context.now);
  const workflow = includeWorkflows ? filters.workflow : undefined;
  const workflowRows =
    workflow &&
    sql`select source.*, 1 as weight, null::text as rule
    from (${workflowGroupRows(groupBy, workflow, context)}) as source`;
  return [
    ...(issue ? [await findingRows(tx, context, { kind, filter: issue })] : []),
    ...(workflowRows ? [{ rows: workflowRows, newest: sql`null::timestamptz` }] : []),
  ];
}

/** One page of groups, largest first, and the total number of groups. */
export async function findIssueGroups(
  tx: Tx,
  context: CallerContext,
  request: IssueGroupRequest,
): Promise<{ rows: { group: Group; sortKey: string[] }[]; total: number }> {
  const { q = '', groupBy, window } = request;
  const { after, limit } = window;
  const kind = KINDS[groupBy];
  const sources = await groupSourcesOf(tx, context, request);
  if (sources.length === 0) return { rows: [], total: 0 };
  const countOfSeverity = (severity: number) =>
    sql`coalesce(sum(weight) filter (where severity = ${severity}::int), 0)`;
  const [afterCount, afterProject, afterName] = after ?? [];
  const isPast = after
    ? sql`where count < ${afterCount}::bigint or (count = ${afterCount}::bigint
        and (project_id, name) > (${afterProject}::bigint, ${afterName}::text))`
    : emptySql;
  const allRows = join(
    sources.map(({ rows }) => rows),
    sql` union all `,
  );
  const newest = join(
    sources.map((source) => source.newest),
    sql`, `,
  );
  const rows = await tx.all(GroupRow)`
    with grouped as materialized (
      select project_id, name, sum(weight)::bigint as count,
        array[${join(
          SEVERITIES.map((_, rank) => countOfSeverity(rank)),
          sql`, `,
        )}] as severities,
        max(since) as since, sum(workflow) as workflows,
        array_agg(distinct rule) filter (where rule is not null) as rules
      from (${allRows}) as source
      group by 1, 2 having sum(weight) > 0
    )
    select page.*, project.name as project_name, (select count(*) from grouped) as total,
      greatest(page.since, ${newest}) as newest_at
    from (select * from grouped ${isPast} order by count desc, project_id, name limit ${limit + 1}::int) as page
    left join project on project.deployment_id = (select current_deployment()) and project.id = page.project_id
    order by page.count desc, page.project_id, page.name`;
  const { query } = parseFilter(q);
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((row) => ({
      group: groupOf(row, query, kind),
      sortKey: [row.count, row.project_id, row.name],
    })),
  };
}
