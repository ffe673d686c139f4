import { refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import {
  cweOf,
  detectionsWithRefs,
  displayStatus,
  isMalicious,
  isUnseen,
  ofFinding,
  statusOnRef,
} from '#domain/findings/filter/finding-conditions.ts';
import type {
  CallerContext,
  ConditionContext,
  FindingFilter,
  RefScope,
} from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { type CountSource, countSourceOf, FINDING_ROWS } from '#domain/findings/metrics/tally.ts';
import { FINDING_STATUSES } from '#domain/findings/shape.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { FacetKey } from './shape.ts';

/** So many are read one by one where no tally can tell; of more it is only said that there are at least so many. */
export const MAX_COUNTED_FINDINGS = 30_000;
/** Where states are read ref by ref. */
const MOST_COUNTED_BY_REF = 10_000;
/** Of what is new, because those are read one by one. */
const MOST_NEW = 2000;
const NOT_THERE = ['removed', 'elsewhere'];
export const MAX_FACET_VALUES = 20;

export interface FacetValueCount {
  /** As findings keep it. */
  value: string;
  count: number;
  /** How people read it, where that is more than the value. */
  label?: string;
}

/** The statuses of a finding as the list would read them: its own, or those on the refs that are named. */
const statuses = ({ ref, isAnywhere }: RefScope): Sql => {
  if (ref)
    return sql`array(select distinct ${statusOnRef} from ${detectionsWithRefs} where ${ofFinding} and ${ref} order by 1)`;
  return sql`array[${isAnywhere ? displayStatus : sql`finding.status`}]`;
};

/** What the words of `is` are made of; few of the many combinations occur, so that the words are found out for each. */
const FLAGS = {
  is_reopened: sql`finding.triage_state = 'reopened' or finding.reopened_count > 0`,
  is_new: sql`finding.first_scan_id in (select analysis.last_scan_id from analysis
    where analysis.deployment_id = (select current_deployment()) and analysis.last_scan_id is not null)`,
  is_flapping: sql`finding.is_flapping`,
  is_held: sql`finding.is_held`,
  is_muted: sql`finding.is_muted`,
};
const flagNames = sql`is_reopened, is_new, is_flapping, is_held, is_muted, is_malicious, is_unseen`;

interface FacetReading extends ConditionContext {
  /** What somebody has seen is looked up only where it is asked for. */
  isOfUnseen: boolean;
}

/** What a key needs of a finding. What is new no tally knows: that is counted by itself. */
const COLUMNS: Record<FacetKey, (reading: FacetReading, source: CountSource) => Sql> = {
  is: (reading, { isTally }) => sql`${statuses(reading)} as statuses, ${FLAGS.is_reopened} as is_reopened,
    ${isTally ? sql`false` : FLAGS.is_new} as is_new, ${FLAGS.is_flapping} as is_flapping,
    ${FLAGS.is_held} as is_held, ${FLAGS.is_muted} as is_muted,
    ${isTally ? sql`finding.is_malicious` : isMalicious} as is_malicious,
    ${reading.isOfUnseen ? isUnseen(reading.context.caller) : sql`false`} as is_unseen`,
  severity: () => sql`finding.severity`,
  type: () => sql`finding.product`,
  project: () => sql`finding.project_id`,
  rule: () => sql`finding.rule`,
  tag: () => sql`finding.project_id as tagged_id`,
  cwe: () => sql`finding.cwes`,
  confidence: () => sql`finding.confidence`,
};

const plain = (column: Sql) => sql`select ${column}::text as value, null::text as label, sum(weight) as count
  from found group by 1`;

/** The values of each key with their numbers; what many findings share is looked up once. */
const VALUES: Record<FacetKey, Sql> = {
  is: sql`
    select word.value, null::text as label, sum(alike.count) as count
    from (select statuses, ${flagNames}, sum(weight) as count from found group by statuses, ${flagNames}) as alike
    cross join lateral (
      select status as value from unnest(alike.statuses) as status where status <> 'elsewhere'
      union all
      select other.value from (values ('reopened', alike.is_reopened and 'open' = any(alike.statuses)),
        ('new', alike.is_new), ('flapping', alike.is_flapping), ('held', alike.is_held), ('muted', alike.is_muted),
        ('malicious', alike.is_malicious), ('unseen', alike.is_unseen)) as other (value, is_so)
      where other.is_so and not alike.statuses <@ array['removed', 'elsewhere']) as word
    group by 1`,
  severity: plain(sql`severity`),
  type: plain(sql`product`),
  project: sql`
    select project.name as value, null::text as label, alike.count
    from (select project_id, sum(weight) as count from found group by project_id) as alike
    join project on project.deployment_id = (select current_deployment()) and project.id = alike.project_id`,
  rule: plain(sql`rule`),
  tag: sql`
    select project_tag.tag as value, null::text as label, sum(alike.count) as count
    from (select tagged_id, sum(weight) as count from found group by tagged_id) as alike
    join project_tag on project_tag.deployment_id = (select current_deployment())
      and project_tag.project_id = alike.tagged_id
    group by 1`,
  cwe: sql`
    select named.value, max(named.entry) as label, sum(alike.count) as count
    from (select cwes, sum(weight) as count from found group by cwes) as alike cross join lateral (
      select ${cweOf(sql`entry`)} as value, max(entry) as entry
      from unnest(alike.cwes) as entry group by 1) as named
    where named.value is not null group by 1`,
  confidence: sql`
    select confidence::text as value, null::text as label, sum(weight) as count
    from found where confidence > 0 group by 1`,
};

const listed = (key: FacetKey, applied: readonly string[]) => sql`
  ${key}::text, (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'value', value, 'label', label, 'count', count)) order by count desc, value), '[]')
    from (select * from (${VALUES[key]}) as counted where count > 0
      order by lower(value) = any(${applied.map((value) => value.toLowerCase())}::text[]) desc, count desc, value
      limit ${MAX_FACET_VALUES}::int) as listed)`;

export interface FacetRequest {
  filter: FindingFilter;
  /** Each with the values that shall be shown however few there are. */
  keys: ReadonlyMap<FacetKey, readonly string[]>;
}

export interface FacetCounts {
  total: number;
  /** Else there are more. */
  isExact: boolean;
  facets: Partial<Record<FacetKey, FacetValueCount[]>>;
}

/** What left the scope is looked at too, because one of the words asks for it. */
const withRemoved = (filter: FindingFilter): FindingFilter => ({
  ...filter,
  and: [...(filter.and ?? []), { is: FINDING_STATUSES.filter((status) => status !== 'elsewhere') }],
});

/** Counts the values of some keys over all findings of a filter, in one statement. */
export async function countFacets(
  tx: Tx,
  asking: CallerContext,
  { filter: asked, keys }: FacetRequest,
): Promise<FacetCounts> {
  const filter = await resolveTextSearch(tx, asked);
  const context = refScopeOf(filter);
  const isOfUnseen = keys.get('is')?.includes('unseen') ?? false;
  const source = isOfUnseen ? FINDING_ROWS : countSourceOf(filter);
  const most = source.isTally ? Number.POSITIVE_INFINITY : context.ref ? MOST_COUNTED_BY_REF : MAX_COUNTED_FINDINGS;
  const wanted = await allMatchingSql(tx, asking, keys.has('is') ? withRemoved(filter) : filter);
  const reading = { ...context, context: asking, isOfUnseen };
  const columns = [sql`${source.weight} as weight`, ...[...keys.keys()].map((key) => COLUMNS[key](reading, source))];
  const facets = [...keys].map(([key, applied]) => listed(key, applied));
  const [row] = await tx.rows`
    with found as materialized (
      select ${join(columns, sql`, `)} from ${source.from} where ${wanted}
      ${source.isTally ? emptySql : sql`limit ${most + 1}::int`})
    select (select coalesce(sum(weight), 0) from found) as total,
      jsonb_build_object(${join(facets, sql`, `)}) as facets`;
  const total = Number(row?.['total']);
  const counted = row?.['facets'] as FacetCounts['facets'];
  if (source.isTally && counted.is) counted.is = [...counted.is, ...(await countNew(tx, wanted))];
  return { total: Math.min(total, most), isExact: total <= most, facets: counted };
}

/** How many the last scans found first; where those are very many, that is no way to narrow anything. */
async function countNew(tx: Tx, wanted: Sql): Promise<FacetValueCount[]> {
  const [row] = await tx.rows`
    select count(*)::integer as count from (
      select from finding where ${wanted} and ${FLAGS.is_new} and finding.status <> all(${NOT_THERE}::text[])
      limit ${MOST_NEW + 1}::int) as fresh`;
  const count = Number(row?.['count']);
  return count > 0 && count <= MOST_NEW ? [{ value: 'new', count }] : [];
}
