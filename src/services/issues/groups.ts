import type { z } from 'zod';
import type { Asking } from '#domain/findings/filter.ts';
import { allWanted } from '#domain/findings/list.ts';
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
      select distinct substring(entry from '^(CWE-[0-9]+)(?:[: ]|$)') as weakness from unnest(finding.cwes) as entry)
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

/** What is grouped, as `project_id`, `name`, `severity` and `since` of each: of one kind, or of both. */
async function linesOf(tx: Tx, asking: Asking, { q = '', filter, groupBy, includeWorkflows }: GroupQuestion) {
  const kind = KINDS[groupBy];
  const filters = filtersOf({ q, filter }, asking.now);
  const issue = includeWorkflows === true ? filters.issue : filterOf({ filter, q }, asking.now);
  const wanted = issue && (await allWanted(tx, asking, issue));
  const parts = [
    ...(wanted
      ? [
          sql`select ${kind.isByProject ? sql`finding.project_id` : sql`0::bigint`} as project_id,
            ${kind.name} collate "C" as name, finding.severity, finding.relevant_since as since, 0 as workflow
          from finding ${kind.from ?? nothing} where ${wanted} ${kind.where ?? nothing}`,
        ]
      : []),
    ...(includeWorkflows === true && filters.workflow ? [workflowLines(groupBy, filters.workflow, asking)] : []),
  ];
  return parts.length === 0
    ? sql`select 0::bigint as project_id, ''::text as name, 0 as severity,
    now() as since, 0 as workflow where false`
    : join(parts, sql` union all `);
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
  const rank = (severity: number) => sql`count(*) filter (where severity = ${severity}::smallint)`;
  const [count, project, name] = after ?? [];
  const isPast = after
    ? sql`where count < ${count}::bigint or (count = ${count}::bigint
        and (project_id, name) > (${project}::bigint, ${name}::text))`
    : nothing;
  const rows = await tx.rows`
    with grouped as materialized (
      select project_id, name, count(*) as count,
        array[${rank(0)}, ${rank(1)}, ${rank(2)}, ${rank(3)}, ${rank(4)}] as severities,
        max(since) as newest_at, sum(workflow) as workflows
      from (${await linesOf(tx, asking, question)}) as line
      group by 1, 2
    )
    select page.*, project.name as project_name, (select count(*) from grouped) as total
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
