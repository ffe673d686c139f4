import { cweOf } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { issueFilterSql, workflowRule } from '#domain/workflow-issues/issue-conditions.ts';
import { linkIsVisible } from '#domain/workflow-issues/issue-visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { join, type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filtersByKind } from '../all-findings/merged-list.ts';
import {
  type FacetCounts,
  type FacetRequest,
  type FacetValueCount,
  MAX_COUNTED_FINDINGS,
  MAX_FACET_VALUES,
} from './facet-counts.ts';
import { countIssueFacets, type FacetCounter } from './facets.ts';
import type { FacetKey } from './shape.ts';

const plain = (value: Sql) =>
  sql`select ${value} as value, null::text as label, count(*) as count from found group by 1`;

/** The projects of what was found that the caller may see. */
const linked = (caller: Caller) => sql`found
  join workflow_issue_project as link on link.deployment_id = ${caller.deployment} and link.issue_id = found.id
    and ${linkIsVisible(caller)}`;

/** The values of each key with their numbers; confidence is nothing that workflows speak of. */
const VALUES: Record<FacetKey, (caller: Caller) => Sql> = {
  is: () => sql`
    select word.value, null::text as label, count(*) as count from found
    cross join lateral (select unnest(case found.state when 'reopened' then array['open', 'reopened']
      else array[found.state] end) as value) as word
    group by 1`,
  severity: () => plain(sql`found.severity::text`),
  type: () => plain(sql`'workflow'::text`),
  project: (caller) => sql`
    select project.name as value, null::text as label, count(*) as count from ${linked(caller)}
    join project on project.deployment_id = link.deployment_id and project.id = link.project_id group by 1`,
  rule: () => plain(sql`found.rule`),
  tag: (caller) => sql`
    select project_tag.tag as value, null::text as label, count(distinct found.id) as count from ${linked(caller)}
    join project_tag on project_tag.deployment_id = link.deployment_id and project_tag.project_id = link.project_id
    group by 1`,
  cwe: () => sql`
    select named.value, max(named.entry) as label, count(*) as count from found cross join lateral (
      select ${cweOf(sql`entry`)} as value, max(entry) as entry
      from unnest(found.cwes) as entry group by 1) as named
    where named.value is not null group by 1`,
  confidence: () => sql`select ''::text as value, null::text as label, 0::bigint as count where false`,
};

const listed = (key: FacetKey, always: readonly string[], caller: Caller) => sql`
  ${key}::text, (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'value', value, 'label', label, 'count', count)) order by count desc, value), '[]')
    from (select * from (${VALUES[key](caller)}) as counted
      order by value = any(${always}::text[]) desc, count desc, value
      limit ${MAX_FACET_VALUES + always.length}::int) as listed)`;

/** Counts the values of some keys over all workflow issues of a filter. */
async function look(
  tx: Tx,
  asking: CallerContext,
  { filter, keys }: FacetRequest & { filter: FindingFilter },
): Promise<FacetCounts> {
  const facets = [...keys].map(([key, always]) => listed(key, always, asking.caller));
  const [row] = await tx.rows`
    with found as materialized (
      select issue.id, issue.severity - 1 as severity, ${workflowRule} as rule, issue.cwes,
        lower(replace(issue.triage_state, 'TRIAGE_STATE_', '')) as state
      from workflow_issue as issue where ${unprepared(issueFilterSql(filter, asking))} limit ${MAX_COUNTED_FINDINGS + 1}::int)
    select (select count(*) from found) as total, jsonb_build_object(${join(facets, sql`, `)}) as facets`;
  const total = Number(row?.['total']);
  const isExact = total <= MAX_COUNTED_FINDINGS;
  return { total: Math.min(total, MAX_COUNTED_FINDINGS), isExact, facets: row?.['facets'] as FacetCounts['facets'] };
}

const NOTHING: FacetCounts = { total: 0, isExact: true, facets: {} };

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The values of both with the sums of their numbers; those that shall be shown first, then those with most. */
function summed(lists: readonly (readonly FacetValueCount[])[], applied: readonly string[]): FacetValueCount[] {
  const sums = new Map<string, FacetValueCount>();
  for (const one of lists.flat()) {
    const before = sums.get(one.value);
    sums.set(one.value, { ...one, ...before, count: Number(one.count) + (before?.count ?? 0) });
  }
  const isApplied = ({ value }: FacetValueCount) => applied.some((name) => isSame(name, value));
  const byCount = (one: FacetValueCount, other: FacetValueCount) =>
    other.count - one.count || (one.value < other.value ? -1 : 1);
  const sorted = [...sums.values()].sort(byCount);
  const rest = sorted.filter((one) => !isApplied(one));
  return [...sorted.filter(isApplied), ...rest].slice(0, MAX_FACET_VALUES).sort(byCount);
}

/** What is among the first of one kind need not be among those of the other, whose number is then asked for too. */
export const countAllFindingsFacets: FacetCounter = async (tx, asking, { q, filter, keys }) => {
  const { issue, workflow } = filtersByKind({ q, filter }, asking.now);
  const own = issue ? await countIssueFacets(tx, asking, { q, filter, keys }) : NOTHING;
  const namesOf = (key: FacetKey) => (own.facets[key] ?? []).map(({ value }) => value);
  const wanted = new Map([...keys].map(([key, applied]) => [key, [...applied, ...namesOf(key)]]));
  const theirs = workflow ? await look(tx, asking, { filter: workflow, keys: wanted }) : NOTHING;
  const missing = new Map(
    [...keys.keys()].flatMap((key) => {
      const known = namesOf(key);
      const others = (theirs.facets[key] ?? []).map(({ value }) => value).filter((value) => !known.includes(value));
      return known.length >= MAX_FACET_VALUES && others.length > 0
        ? [[key, others.slice(0, MAX_FACET_VALUES)] as const]
        : [];
    }),
  );
  const more = missing.size > 0 ? await countIssueFacets(tx, asking, { q, filter, keys: missing }) : NOTHING;
  const moreOf = (key: FacetKey) => (more.facets[key] ?? []).filter(({ value }) => missing.get(key)?.includes(value));
  const facets = [...keys].map(([key, applied]) => [
    key,
    summed([own.facets[key] ?? [], theirs.facets[key] ?? [], moreOf(key)], applied),
  ]);
  return {
    total: own.total + theirs.total,
    isExact: own.isExact && theirs.isExact,
    facets: Object.fromEntries(facets) as FacetCounts['facets'],
  };
};
