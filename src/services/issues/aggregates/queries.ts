import { z } from 'zod';
import { inIncludedProjects, refScopeOf } from '#domain/findings/filter/filter-sql.ts';
import { statusIs } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { allMatchingSql } from '#domain/findings/filter/finding-list.ts';
import { resolveTextSearch } from '#domain/findings/filter/text-search.ts';
import { countSourceOf, countSql } from '#domain/findings/metrics/tally.ts';
import { teamVisibilitySql } from '#domain/teams/visibility.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type getIssueCounts, getIssueFilters, IssueGroup } from './contract.ts';

const MAX_VALUES = 1000;

export type IssueCounts = z.output<typeof getIssueCounts.reply>;

/** The status of each tab. Ignored issues are counted by reason. */
const TABS = {
  open: 'open',
  closed: 'fixed',
  reviewing: 'reviewing',
  fixing: 'fixing',
  provisionallyIgnored: 'provisionally_ignored',
} as const;

const StateCountsRow = z.object({
  tabs: z.object({
    open: z.int(),
    closed: z.int(),
    reviewing: z.int(),
    fixing: z.int(),
    provisionallyIgnored: z.int(),
  }),
  ignored: z.int(),
  ignoredFalsePositive: z.int(),
  ignoredAcceptableRisk: z.int(),
  ignoredNoTime: z.int(),
  ignoredNoTriageReason: z.int(),
  ignoredDuplicate: z.int(),
  ignoredCode: z.int(),
  archived: z.int(),
});

/** Counts matching issues by state, and those in archived projects. */
export async function countByState(
  tx: Tx,
  context: CallerContext,
  unresolvedFilter: FindingFilter,
): Promise<IssueCounts> {
  const filter = await resolveTextSearch(tx, unresolvedFilter);
  const refScope = refScopeOf(filter);
  const source = countSourceOf(filter);
  const matching = await allMatchingSql(tx, context, filter);
  const archived = await allMatchingSql(tx, context, { ...filter, isArchived: true });
  const number = (condition: Sql) => countSql(source, condition);
  const tabs = Object.entries(TABS).map(
    ([name, status]) => sql`${name}::text, ${number(statusIs([status], refScope))}`,
  );
  const isIgnored = statusIs(['ignored'], refScope);
  const ignored = (reason: string) =>
    number(sql`${isIgnored} and finding.triage_state = 'ignored'
      and coalesce(finding.triage_reason, 'no_triage_reason') = ${reason}`);
  const row = await tx.one(StateCountsRow)`
    select jsonb_build_object(${join(tabs, sql`, `)}) as tabs, ${number(isIgnored)} as ignored,
      ${ignored('false_positive')} as "ignoredFalsePositive",
      ${ignored('acceptable_risk')} as "ignoredAcceptableRisk", ${ignored('no_time')} as "ignoredNoTime",
      ${ignored('no_triage_reason')} as "ignoredNoTriageReason", ${ignored('duplicate')} as "ignoredDuplicate",
      ${number(sql`${isIgnored} and finding.is_muted`)} as "ignoredCode",
      (select ${countSql(source)} from ${source.from} where ${archived}) as archived
    from ${source.from} where ${matching}`;
  if (!row) throw new Error('The counts of issues have no row.');
  const { tabs: tabCounts, ...otherCounts } = row;
  return { ...tabCounts, ...otherCounts };
}

type FilterValues = z.output<typeof getIssueFilters.reply>;

const list = (value: Sql, from: Sql): Sql => sql`(select coalesce(jsonb_agg(value order by value), '[]') from (
    select distinct ${value} as value from ${from} where ${value} <> ''
    order by 1 limit ${MAX_VALUES}::int) as listed)`;

/** The values that matching issues have. Reads the issues once, grouped by the columns that the values depend on. */
export async function listFilterValues(
  tx: Tx,
  context: CallerContext,
  unresolvedFilter: FindingFilter,
): Promise<FilterValues> {
  const filter = await resolveTextSearch(tx, unresolvedFilter);
  const visibleTeams = teamVisibilitySql(context.caller);
  const matching = await allMatchingSql(tx, context, filter);
  const source = countSourceOf(filter);
  const values = await tx.one(getIssueFilters.reply)`
    with found as materialized (
      select finding.project_id, finding.rule, finding.category, finding.secret_type, finding.advisory
      from ${source.from} where ${matching}
      group by finding.project_id, finding.rule, finding.category, finding.secret_type, finding.advisory
      having sum(${source.weight}) > 0
    ),
    repo as materialized (
      select project.id, project.name, project.deployment_id,
        coalesce(project.primary_branch, project.default_branch) as primary_ref
      from project where project.deployment_id = ${context.caller.deployment}
        and project.id in (select project_id from found)
      order by project.name limit ${MAX_VALUES}::int
    ),
    tag as materialized (
      select distinct deployment_tag.id, deployment_tag.tag from repo
      join project_tag on project_tag.deployment_id = repo.deployment_id and project_tag.project_id = repo.id
      join deployment_tag on deployment_tag.deployment_id = project_tag.deployment_id
        and deployment_tag.tag = project_tag.tag
      order by deployment_tag.tag limit ${MAX_VALUES}::int
    ),
    ref as materialized (
      select project_ref.id, project_ref.ref, repo.id as repo_id, project_ref.ref = repo.primary_ref as is_primary
      from repo join project_ref on project_ref.deployment_id = repo.deployment_id
        and project_ref.project_id = repo.id
      order by project_ref.id limit ${MAX_VALUES}::int
    ),
    owner as (
      select team.name from team join team_project on team_project.deployment_id = team.deployment_id
        and team_project.team_id = team.id
      where team.deployment_id = ${context.caller.deployment} and ${visibleTeams}
        and team_project.project_id in (select id from repo)
    )
    select (select coalesce(jsonb_agg(name order by name), '[]') from repo) as "repoNames",
      (select coalesce(jsonb_agg(tag order by tag), '[]') from tag) as "repoTags", ${list(sql`ref`, sql`ref`)} as refs,
      (select coalesce(jsonb_agg(jsonb_build_object('repoName', grouped.name, 'repoRefs', grouped.refs,
          'hasPrimaryRef', grouped.has_primary) order by grouped.name), '[]') from (
        select repo.name, coalesce(bool_or(ref.is_primary), false) as has_primary, jsonb_agg(jsonb_build_object(
          'id', ref.id::text, 'refName', ref.ref, 'isPrimary', coalesce(ref.is_primary, false))
          order by ref.ref) as refs
        from repo join ref on ref.repo_id = repo.id group by repo.id, repo.name) as grouped) as "repoRefGroups",
      '[]'::jsonb as "rulesetNames", ${list(sql`rule`, sql`found`)} as "ruleNames",
      ${list(sql`category`, sql`found`)} as categories, ${list(sql`name`, sql`owner`)} as "teamNames",
      ${list(sql`secret_type`, sql`found`)} as "secretTypes",
      (select coalesce(jsonb_agg(jsonb_build_object('id', rule, 'name', rule,
          'scaCve', case when advisory like 'CVE-%' then advisory else '' end,
          'scaGhsa', case when advisory like 'GHSA-%' then advisory else '' end) order by rule), '[]') from (
        select rule, min(advisory) as advisory from found group by rule order by rule limit ${MAX_VALUES}::int)
        as listed) as rules,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id::text, 'name', name) order by name), '[]') from repo)
        as repos,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id::text, 'name', tag) order by tag), '[]') from tag)
        as tags`;
  if (!values) throw new Error('The filter values of issues have no row.');
  return values;
}

export interface RuleGroupOrder {
  by: 'count' | 'severity';
  isDescending: boolean;
}

export interface RuleGroupPage {
  rows: { group: z.output<typeof IssueGroup>; key: string[] }[];
  total: number;
}

const RuleGroupRow = z.object({
  rule: z.string(),
  count: z.string(),
  severity: z.string(),
  product: z.string(),
  total: z.int(),
  origin: z.string().optional(),
  source: z.string().optional(),
});

/** One page of issues grouped by rule, and the total number of rules. */
export async function listRuleGroups(
  tx: Tx,
  context: CallerContext,
  { filter, order, window }: { filter: FindingFilter; order: RuleGroupOrder; window: PageWindow },
): Promise<RuleGroupPage> {
  const direction = order.isDescending ? sql`desc` : sql`asc`;
  const first = order.by === 'severity' ? sql`severity` : sql`count`;
  const { after, limit } = window;
  const isPast = after
    ? sql`where (${first}, rule) ${order.isDescending ? sql`<` : sql`>`} (${after[0]}::bigint, ${after[1]}::text)`
    : emptySql;
  const source = countSourceOf(filter);
  const rows = await tx.all(RuleGroupRow)`
    with grouped as materialized (
      select rule, sum(count)::bigint as count, max(severity)::bigint as severity, min(product) as product
      from (
        select finding.rule, finding.severity, finding.product, ${countSql(source)} as count
        from ${source.from} where ${await allMatchingSql(tx, context, filter)}
        group by finding.rule, finding.severity, finding.product) as alike
      where count > 0 group by rule
    )
    select page.*, (select count(*)::integer from grouped) as total,
      newest.detail #>> '{metadata,semgrep.dev,rule,origin}' as origin, newest.detail #>> '{metadata,source}' as source
    from (
      select * from grouped ${isPast} order by ${first} ${direction}, rule ${direction} limit ${limit + 1}::int) as page
    left join lateral (
      select finding.detail from finding
      where finding.deployment_id = ${context.caller.deployment} and finding.rule = page.rule
        and ${inIncludedProjects(filter, context)}
      order by finding.relevant_since desc, finding.id desc limit 1) as newest on true
    order by page.${first} ${direction}, page.rule ${direction}`;
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((row) => ({
      key: [order.by === 'severity' ? row.severity : row.count, row.rule],
      group: IssueGroup.parse(groupOf(row)),
    })),
  };
}

const ORIGINS: Record<string, string> = { pro_rules: 'PRO_RULES', community: 'COMMUNITY' };

function groupOf({ rule, count, product, origin: ruleOrigin = '', source = '' }: z.output<typeof RuleGroupRow>) {
  const origin = `RULE_ORIGIN_${ORIGINS[ruleOrigin] ?? 'CUSTOM'}`;
  return {
    issuesCount: count,
    ruleId: rule,
    ruleShaSum: '',
    ruleMeta: { author: '', authorPhotoUrl: '', rule: { ruleId: rule, ruleVersionId: '', origin } },
    ruleLastChangeBy: '',
    rulePath: rule,
    ruleSourceUri: source,
    ruleTestCases: [],
    ruleDeploymentName: '',
    ruleSupersededBy: [],
    ...(product === 'sca'
      ? { scaAttributes: {} }
      : product === 'secrets'
        ? { secretsAttributes: {} }
        : { sastAttributes: {} }),
  };
}
