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
  FacetsRow,
  type FacetValueCount,
  MAX_COUNTED_FINDINGS,
  MAX_FACET_VALUES,
} from './facet-counts.ts';
import { countIssueFacets, type FacetCounter } from './facets.ts';
import type { FacetKey } from './shape.ts';

const plain = (value: Sql) =>
  sql`select ${value} as value, null::text as label, count(*) as count from found group by 1`;

/** The links to projects that the caller may see. */
const linked = (caller: Caller) => sql`found
  join workflow_issue_project as link on link.deployment_id = ${caller.deployment} and link.issue_id = found.id
    and ${linkIsVisible(caller)}`;

/** Counts the values of each key. Workflow issues have no confidence. */
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
  assignee: () =>
    sql`select 'none'::text as value, 'Nobody'::text as label, count(*) as count from found having count(*) > 0`,
  confidence: () => sql`select ''::text as value, null::text as label, 0::bigint as count where false`,
};

const valuesJson = (key: FacetKey, always: readonly string[], caller: Caller) => sql`
  ${key}::text, (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'value', value, 'label', label, 'count', count)) order by count desc, value), '[]')
    from (select * from (${VALUES[key](caller)}) as counted
      order by value = any(${always}::text[]) desc, count desc, value
      limit ${MAX_FACET_VALUES + always.length}::int) as listed)`;

/** Counts the values of filter keys over all workflow issues that match. */
async function countWorkflowFacets(
  tx: Tx,
  context: CallerContext,
  { filter, keys }: FacetRequest & { filter: FindingFilter },
): Promise<FacetCounts> {
  const facetColumns = [...keys].map(([key, always]) => valuesJson(key, always, context.caller));
  const row = await tx.one(FacetsRow)`
    with found as materialized (
      select issue.id, issue.severity - 1 as severity, ${workflowRule} as rule, issue.cwes,
        lower(replace(issue.triage_state, 'TRIAGE_STATE_', '')) as state
      from workflow_issue as issue where ${unprepared(issueFilterSql(filter, context))}
      limit ${MAX_COUNTED_FINDINGS + 1}::int)
    select (select count(*) from found) as total, jsonb_build_object(${join(facetColumns, sql`, `)}) as facets`;
  const { total, facets } = row ?? { total: 0, facets: {} };
  return { total: Math.min(total, MAX_COUNTED_FINDINGS), isExact: total <= MAX_COUNTED_FINDINGS, facets };
}

const NO_COUNTS: FacetCounts = { total: 0, isExact: true, facets: {} };

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();

/** Adds up the counts of both kinds and keeps the applied values and the most frequent ones. */
function addUp(lists: readonly (readonly FacetValueCount[])[], applied: readonly string[]): FacetValueCount[] {
  const sums = new Map<string, FacetValueCount>();
  for (const entry of lists.flat()) {
    const sum = sums.get(entry.value);
    sums.set(entry.value, { ...entry, ...sum, count: entry.count + (sum?.count ?? 0) });
  }
  const isApplied = ({ value }: FacetValueCount) => applied.some((name) => isSame(name, value));
  const byCount = (left: FacetValueCount, right: FacetValueCount) =>
    right.count - left.count || (left.value < right.value ? -1 : 1);
  const sorted = [...sums.values()].sort(byCount);
  const rest = sorted.filter((entry) => !isApplied(entry));
  return [...sorted.filter(isApplied), ...rest].slice(0, MAX_FACET_VALUES).sort(byCount);
}

/** A value among the top values of one kind may be missing in the other, so its count is read in a further query. */
export const countAllFindingsFacets: FacetCounter = async (tx, context, { q, filter, keys }) => {
  const { issue, workflow } = filtersByKind({ q, filter }, context.now);
  const ofFindings = issue ? await countIssueFacets(tx, context, { q, filter, keys }) : NO_COUNTS;
  const findingValues = (key: FacetKey) => (ofFindings.facets[key] ?? []).map(({ value }) => value);
  const workflowKeys = new Map([...keys].map(([key, applied]) => [key, [...applied, ...findingValues(key)]]));
  const ofWorkflows = workflow
    ? await countWorkflowFacets(tx, context, { filter: workflow, keys: workflowKeys })
    : NO_COUNTS;
  const missing = new Map(
    [...keys.keys()].flatMap((key) => {
      const known = findingValues(key);
      const others = (ofWorkflows.facets[key] ?? [])
        .map(({ value }) => value)
        .filter((value) => !known.includes(value));
      return known.length >= MAX_FACET_VALUES && others.length > 0
        ? [[key, others.slice(0, MAX_FACET_VALUES)] as const]
        : [];
    }),
  );
  const further = missing.size > 0 ? await countIssueFacets(tx, context, { q, filter, keys: missing }) : NO_COUNTS;
  // Where no finding has an assignee, "nobody" is no choice.
  const workflowValues = (key: FacetKey) =>
    key === 'assignee' && findingValues(key).length === 0 ? [] : (ofWorkflows.facets[key] ?? []);
  const furtherOf = (key: FacetKey) =>
    (further.facets[key] ?? []).filter(({ value }) => missing.get(key)?.includes(value));
  const facets = [...keys].map(([key, applied]) => [
    key,
    addUp([ofFindings.facets[key] ?? [], workflowValues(key), furtherOf(key)], applied),
  ]);
  return {
    total: ofFindings.total + ofWorkflows.total,
    isExact: ofFindings.isExact && ofWorkflows.isExact,
    facets: Object.fromEntries(facets) as FacetCounts['facets'],
  };
};
