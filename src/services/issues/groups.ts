import type { z } from 'zod';
import { weaknessOf } from '#domain/findings/conditions.ts';
import type { Asking, Filter } from '#domain/findings/filter.ts';
import { allWanted } from '#domain/findings/list.ts';
import { EACH, numberOf, type Source, sourceOf } from '#domain/findings/tally.ts';
import { withWordsFound } from '#domain/findings/words.ts';
import { termsOf, withoutTerm, withTerm } from '#domain/query/edit.ts';
import type { Key } from '#domain/query/keys.ts';
import { parse } from '#domain/query/parse.ts';
import { print } from '#domain/query/print.ts';
import type { Query } from '#domain/query/structure.ts';
import type { Window } from '#kernel/db/page.ts';
import { join, nothing, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { IssueFilter } from './filter-shape.ts';
import { filtersOf } from './mixed.ts';
import { workflowLines } from './mixed-groups.ts';
import type { groupIssues } from './views-contract.ts';
import type { Grouping } from './views-shape.ts';
import { filterOf } from './wanted.ts';

interface Kind {
  /** Findings of different projects are different groups. */
  isByProject: boolean;
  /** What else they are grouped by, as text. */
  name: Sql;
  from?: Sql;
  where?: Sql;
  /** The keys that name a group in the filter bar. */
  keys: Key[];
  /** A finding has one of these, so that a group needs no further word of it. */
  isSingle: boolean;
}

const KINDS: Record<Grouping, Kind> = {
  GROUP_BY_RULE: { isByProject: false, name: sql`finding.rule`, keys: ['rule'], isSingle: true },
  GROUP_BY_PROJECT: { isByProject: true, name: sql`''::text`, keys: ['project'], isSingle: true },
  GROUP_BY_PATH: { isByProject: true, name: sql`finding.path`, keys: ['project', 'path'], isSingle: true },
  GROUP_BY_CWE: {
    isByProject: false,
    name: sql`named.weakness`,
    from: sql`cross join lateral (
      select distinct ${weaknessOf(sql`entry`)} as weakness from unnest(finding.cwes) as entry)
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
    if (isSingle) bar = termsOf(bar, key).reduce(withoutTerm, bar);
    bar = withTerm(bar, { key, isNot: false, values: [{ kind: 'exact', value: values[index] ?? '' }] });
  }
  return print(bar);
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

export interface GroupQuestion {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
  includeWorkflows?: boolean | undefined;
  groupBy: Grouping;
  window: Window;
}

/** Fewer than this are soon read one by one. */
const FEW = 20_000;

/** Paths are in no tally. Where few are meant the newest of a group may be hard to find among what else there is. */
async function sourceFor(tx: Tx, { kind, meant, wanted }: { kind: Kind; meant: Filter; wanted: Sql }): Promise<Source> {
  const source = sourceOf(meant);
  if (!source.isTally || kind === KINDS.GROUP_BY_PATH) return EACH;
  const [row] = await tx.rows`select ${numberOf(source)} as count from ${source.from} where ${wanted}`;
  return Number(row?.['count']) > FEW ? source : EACH;
}

/** When the newest of a group became relevant: the first that an index of its project, or of one of its rules, has. */
const newestOf = ({ isByProject, where = nothing, from = nothing, name }: Kind, wanted: Sql): Sql => {
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
async function scannersPart(tx: Tx, asking: Asking, { kind, filter }: { kind: Kind; filter: Filter }): Promise<Part> {
  const meant = await withWordsFound(tx, filter);
  const wanted = await allWanted(tx, asking, meant);
  const source = await sourceFor(tx, { kind, meant, wanted });
  const lines = sql`
    select ${kind.isByProject ? sql`finding.project_id` : sql`0::bigint`} as project_id,
      ${kind.name} collate "C" as name, finding.severity::int as severity,
      ${source.isTally ? sql`null::timestamptz` : sql`finding.relevant_since`} as since, 0 as workflow,
      ${source.weight} as weight, ${source.isTally ? sql`finding.rule` : sql`null::text`} as rule
    from ${source.from} ${kind.from ?? nothing} where ${wanted} ${kind.where ?? nothing}`;
  return { lines, newest: source.isTally ? newestOf(kind, wanted) : sql`null::timestamptz` };
}

/** What is grouped: of one kind, or of both. */
async function partsOf(
  tx: Tx,
  asking: Asking,
  { q = '', filter, groupBy, includeWorkflows = false }: GroupQuestion,
): Promise<Part[]> {
  const kind = KINDS[groupBy];
  const filters = filtersOf({ q, filter }, asking.now);
  const issue = includeWorkflows ? filters.issue : filterOf({ filter, q }, asking.now);
  const workflow = includeWorkflows ? filters.workflow : undefined;
  const lines =
    workflow &&
    sql`select line.*, 1 as weight, null::text as rule
    from (${workflowLines(groupBy, workflow, asking)}) as line`;
  return [
    ...(issue ? [await scannersPart(tx, asking, { kind, filter: issue })] : []),
    ...(lines ? [{ lines, newest: sql`null::timestamptz` }] : []),
  ];
}

/** A page of the groups with most issues first, and the number of all groups. */
export async function groupsOf(
  tx: Tx,
  asking: Asking,
  question: GroupQuestion,
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
    : nothing;
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
  const { query } = parse(q);
  return {
    total: Number(rows[0]?.['total'] ?? 0),
    rows: rows.map((row) => ({
      group: groupOf(row, query, kind),
      sortKey: [String(row['count']), String(row['project_id']), String(row['name'])],
    })),
  };
}
