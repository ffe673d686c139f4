import type { z } from 'zod';
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
import { nothing, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { IssueFilter } from './filter-shape.ts';
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
function barOf(query: Query, { keys, isSingle }: Kind, values: readonly string[]): string {
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
    q: barOf(query, kind, values),
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
    : sql`(select max(newest.relevant_since) from unnest(page.newest) as rule (id)
        cross join lateral (${first(sql`finding.rule = rule.id`)}) as newest)`;
};

/** A page of the groups with most issues first, and the number of all groups. */
export async function groupsOf(
  tx: Tx,
  asking: Asking,
  { q = '', filter, groupBy, window: { after, limit } }: GroupQuestion,
): Promise<{ rows: { group: Group; sortKey: string[] }[]; total: number }> {
  const kind = KINDS[groupBy];
  const [count, project, name] = after ?? [];
  const isPast = after
    ? sql`where count < ${count}::bigint or (count = ${count}::bigint
        and (project_id, name) > (${project}::bigint, ${name}::text))`
    : nothing;
  const meant = await withWordsFound(tx, filterOf({ filter, q }, asking.now));
  const wanted = await allWanted(tx, asking, meant);
  const source = await sourceFor(tx, { kind, meant, wanted });
  const rank = (severity: number) => numberOf(source, sql`finding.severity = ${severity}::smallint`);
  const rows = await tx.rows`
    with grouped as materialized (
      select ${kind.isByProject ? sql`finding.project_id` : sql`0::bigint`} as project_id,
        ${kind.name} collate "C" as name, ${numberOf(source)}::bigint as count,
        array[${rank(0)}, ${rank(1)}, ${rank(2)}, ${rank(3)}, ${rank(4)}] as severities,
        ${source.isTally ? sql`array_agg(distinct finding.rule)` : sql`max(finding.relevant_since)`} as newest
      from ${source.from} ${kind.from ?? nothing} where ${wanted} ${kind.where ?? nothing}
      group by 1, 2 having sum(${source.weight}) > 0
    )
    select page.*, project.name as project_name, (select count(*) from grouped) as total,
      ${source.isTally ? newestOf(kind, wanted) : sql`page.newest`} as newest_at
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
