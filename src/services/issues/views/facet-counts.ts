import { z } from 'zod';
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
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { FACET_KEYS, type FacetKey } from './shape.ts';

/** Without a tally at most this many findings are counted; beyond that, counts are lower bounds. */
export const MAX_COUNTED_FINDINGS = 30_000;
/** The same if states depend on a ref, which is slower. */
const MAX_COUNTED_BY_REF = 10_000;
/** The limit for new findings, which no tally counts. */
const MAX_NEW_FINDINGS = 2000;
const ABSENT_STATUSES = ['removed', 'elsewhere'];
export const MAX_FACET_VALUES = 20;

const FacetValueCount = z.object({
  /** The stored value. */
  value: z.string(),
  count: z.number(),
  /** The display text, if it differs from the value. */
  label: z.string().optional(),
});
export type FacetValueCount = z.output<typeof FacetValueCount>;

/** One result row of a facet query; the sum of weights is numeric or bigint. */
export const FacetsRow = z.object({
  total: z.coerce.number(),
  facets: z.partialRecord(z.enum(FACET_KEYS), z.array(FacetValueCount)),
});

/** The statuses of a finding as the list shows them: its own, or those on the refs in the filter. */
const statuses = ({ ref, isAnywhere }: RefScope): Sql => {
  if (ref)
    return sql`array(
      select distinct ${statusOnRef} from ${detectionsWithRefs} where ${ofFinding} and ${ref} order by 1)`;
  return sql`array[${isAnywhere ? displayStatus : sql`finding.status`}]`;
};

/** The flags behind the values of `is`. Few combinations occur, so values are derived once for each combination. */
const FLAGS = {
  is_reopened: sql`finding.triage_state = 'reopened' or finding.reopened_count > 0`,
  is_new: sql`finding.first_scan_id in (select analysis.last_scan_id from analysis
    where analysis.deployment_id = (select current_deployment()) and analysis.last_scan_id is not null)`,
  is_flapping: sql`finding.is_flapping`,
  is_held: sql`finding.is_held`,
  is_muted: sql`finding.is_muted`,
};
const flagNames = sql`is_reopened, is_new, is_flapping, is_held, is_muted, is_malicious, is_unseen`;

interface FacetContext extends ConditionContext {
  /** Whether to look up what the caller has seen, which is expensive. */
  includesUnseen: boolean;
}

/** Assignees are counted apart, because no tally has them and few findings do. */
type CountedTogether = Exclude<FacetKey, 'assignee'>;

/** The columns that a key needs. No tally has `is_new`: it is counted separately. */
const COLUMNS: Record<CountedTogether, (facet: FacetContext, source: CountSource) => Sql> = {
  is: (facet, { isTally }) => sql`${statuses(facet)} as statuses, ${FLAGS.is_reopened} as is_reopened,
    ${isTally ? sql`false` : FLAGS.is_new} as is_new, ${FLAGS.is_flapping} as is_flapping,
    ${FLAGS.is_held} as is_held, ${FLAGS.is_muted} as is_muted,
    ${isTally ? sql`finding.is_malicious` : isMalicious} as is_malicious,
    ${facet.includesUnseen ? isUnseen(facet.context.caller) : sql`false`} as is_unseen`,
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

/** Counts the values of each key. Names are joined after grouping, once for each group. */
const VALUES: Record<CountedTogether, Sql> = {
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

const valuesJson = (key: CountedTogether, applied: readonly string[]) => sql`
  ${key}::text, (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'value', value, 'label', label, 'count', count)) order by count desc, value), '[]')
    from (select * from (${VALUES[key]}) as counted where count > 0
      order by lower(value) = any(${applied.map((value) => value.toLowerCase())}::text[]) desc, count desc, value
      limit ${MAX_FACET_VALUES}::int) as listed)`;

export interface FacetRequest {
  filter: FindingFilter;
  /** The keys with the values that are always included. */
  keys: ReadonlyMap<FacetKey, readonly string[]>;
}

export interface FacetCounts {
  total: number;
  /** False if `total` is a lower bound. */
  isExact: boolean;
  facets: Partial<Record<FacetKey, FacetValueCount[]>>;
}

/** Includes removed findings, because `removed` is a value of `is`. */
const withRemoved = (filter: FindingFilter): FindingFilter => ({
  ...filter,
  and: [...(filter.and ?? []), { is: FINDING_STATUSES.filter((status) => status !== 'elsewhere') }],
});

/** Counts the values of filter keys over all findings that match, in one statement. */
export async function countFacets(
  tx: Tx,
  context: CallerContext,
  { filter: unresolvedFilter, keys }: FacetRequest,
): Promise<FacetCounts> {
  const filter = await resolveTextSearch(tx, unresolvedFilter);
  const refScope = refScopeOf(filter);
  const includesUnseen = keys.get('is')?.includes('unseen') ?? false;
  const source = includesUnseen ? FINDING_ROWS : countSourceOf(filter);
  const maxCounted = source.isTally
    ? Number.POSITIVE_INFINITY
    : refScope.ref
      ? MAX_COUNTED_BY_REF
      : MAX_COUNTED_FINDINGS;
  const matching = await allMatchingSql(tx, context, keys.has('is') ? withRemoved(filter) : filter);
  const facetContext = { ...refScope, context, includesUnseen };
  const together = [...keys].flatMap(([key, applied]) => (key === 'assignee' ? [] : [[key, applied] as const]));
  const columns = [sql`${source.weight} as weight`, ...together.map(([key]) => COLUMNS[key](facetContext, source))];
  const facetColumns = together.map(([key, applied]) => valuesJson(key, applied));
  const row = await tx.one(FacetsRow)`
    with found as materialized (
      select ${join(columns, sql`, `)} from ${source.from} where ${matching}
      ${source.isTally ? emptySql : sql`limit ${maxCounted + 1}::int`})
    select (select coalesce(sum(weight), 0) from found) as total,
      jsonb_build_object(${join(facetColumns, sql`, `)}) as facets`;
  const { total, facets } = row ?? { total: 0, facets: {} };
  if (source.isTally && facets.is) facets.is = [...facets.is, ...(await countNew(tx, matching))];
  if (keys.has('assignee')) facets.assignee = await countAssignees(tx, context, { matching, total });
  return { total: Math.min(total, maxCounted), isExact: total <= maxCounted, facets };
}

/** Counts findings by assignee, with the caller as `me` and the others as `none`. */
async function countAssignees(
  tx: Tx,
  { caller }: CallerContext,
  { matching, total }: { matching: Sql; total: number },
): Promise<FacetValueCount[]> {
  const own = caller.kind === 'user' ? caller.userId : '0';
  const rows = await tx.all(FacetValueCount)`
    select case when account.id = ${own}::bigint then 'me' else lower(account.email) end as value,
      account.name as label, assigned.count
    from (
      select found.assignee_id, count(*)::int as count from (
        select finding.assignee_id from finding where ${matching} and finding.assignee_id is not null
        limit ${MAX_COUNTED_FINDINGS}::int) as found
      group by found.assignee_id order by count(*) desc limit ${MAX_FACET_VALUES}::int) as assigned
    join account on account.id = assigned.assignee_id order by assigned.count desc, account.email_key`;
  const none = total - rows.reduce((sum, { count }) => sum + count, 0);
  return none > 0 && rows.length > 0 ? [...rows, { value: 'none', label: 'Nobody', count: none }] : rows;
}

/** Counts findings that are new in the latest scans; none if there are too many to be a useful filter. */
async function countNew(tx: Tx, matching: Sql): Promise<FacetValueCount[]> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from (
      select from finding where ${matching} and ${FLAGS.is_new} and finding.status <> all(${ABSENT_STATUSES}::text[])
      limit ${MAX_NEW_FINDINGS + 1}::int) as fresh`;
  const count = row?.count ?? 0;
  return count > 0 && count <= MAX_NEW_FINDINGS ? [{ value: 'new', count }] : [];
}
