import { hasListEntry, isWithin, PROJECT_CONDITIONS } from '#domain/findings/filter/finding-conditions.ts';
import type { CallerContext, FindingCriteria, FindingFilter, IsValue } from '#domain/findings/filter/finding-filter.ts';
import { limitJoins } from '#domain/findings/filter/joined-criteria.ts';
import { anyOf, containsPattern, matches, type TextMatch } from '#domain/findings/filter/text-match.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import { linkIsVisible } from './issue-visibility.ts';

/** The name of the tool in filters and exports. */
export const WORKFLOW_TOOL = 'Agentic Workflows';

/** The first workflow that found an issue takes the place of a scanner's rule. */
export const workflowRule = sql`coalesce(issue.workflow_ids[1], '')`;

const STATES_OF_IS: Partial<Record<IsValue, readonly string[]>> = {
  open: ['OPEN', 'REOPENED'],
  reopened: ['REOPENED'],
  reviewing: ['REVIEWING'],
  fixing: ['FIXING'],
  provisionally_ignored: ['PROVISIONALLY_IGNORED'],
  ignored: ['IGNORED'],
  ignored_by_people: ['IGNORED'],
  fixed: ['FIXED'],
};

export const issueStateIs = (values: readonly IsValue[]): Sql => {
  const states = values.flatMap((value) => STATES_OF_IS[value] ?? []).map((state) => `TRIAGE_STATE_${state}`);
  return sql`issue.triage_state = any(${states}::text[])`;
};

/** The reason for ignoring an issue, with the values of findings. */
export const issueIgnoreReason = sql`
  coalesce(lower(replace(issue.triage_reason, 'TRIAGE_REASON_', '')), 'no_triage_reason')`;

const isTool = (texts: readonly TextMatch[]): Sql => matches(sql`${WORKFLOW_TOOL}::text`, texts);

const hasEntry = (column: Sql, texts: readonly TextMatch[]): Sql =>
  sql`exists (select from unnest(${column}) as entry where ${matches(sql`entry`, texts)})`;

/** A ref matches by its full name, or by its branch or tag name alone. */
const isOnRef = (texts: readonly TextMatch[]): Sql =>
  sql`exists (select from unnest(issue.ref_ids) as entry where ${matches(sql`entry`, texts)}
    or ${matches(sql`regexp_replace(entry, '^refs/(heads|tags)/', '')`, texts)})`;

function isAnyText(values: readonly string[]): Sql {
  const patterns = values.map(containsPattern);
  const columns = [
    sql`issue.title`,
    sql`issue.description`,
    sql`issue.reasoning`,
    workflowRule,
    sql`array_to_string(issue.file_paths, chr(10))`,
  ];
  return anyOf(columns.map((column) => sql`${column} ilike any(${patterns}::text[])`));
}

/** True if one of its projects that the caller may see is in the subquery. */
const isInProjects = (caller: Caller, projects: Sql): Sql =>
  sql`issue.id in (select link.issue_id from workflow_issue_project as link
    where link.deployment_id = ${caller.deployment} and ${linkIsVisible(caller)} and link.project_id in (${projects}))`;

type Conditions = {
  [Name in keyof FindingCriteria]?: (value: NonNullable<FindingCriteria[Name]>, caller: Caller) => Sql;
};

/** The condition on `issue` for members of the finding filter; other members match no issue. */
const CONDITIONS: Conditions = {
  products: (products) => (products.includes('workflow') ? sql`true` : sql`false`),
  is: issueStateIs,
  // They cannot be assigned.
  assignees: (words) => (words.includes('none') ? sql`true` : sql`false`),
  reasons: (reasons) =>
    sql`(issue.triage_state = 'TRIAGE_STATE_IGNORED' and ${issueIgnoreReason} = any(${reasons}::text[]))`,
  severities: (ranks) => sql`issue.severity = any(${ranks.map((rank) => rank + 1)}::integer[])`,
  rules: (texts) => matches(workflowRule, texts),
  tools: isTool,
  paths: (texts) => hasEntry(sql`issue.file_paths`, texts),
  packages: (texts) => hasEntry(sql`issue.direct_dependencies`, texts),
  refs: isOnRef,
  projects: (texts, caller) => isInProjects(caller, PROJECT_CONDITIONS.projects(texts)),
  projectIds: (ids, caller) => isInProjects(caller, sql`select unnest(${ids}::bigint[])`),
  tags: (texts, caller) => isInProjects(caller, PROJECT_CONDITIONS.tags(texts)),
  teams: (texts, caller) => isInProjects(caller, PROJECT_CONDITIONS.teams(texts, caller)),
  cwes: hasListEntry(sql`issue.cwes`),
  owasps: hasListEntry(sql`issue.owasps`),
  relevantSince: isWithin(sql`issue.created_at`),
  firstSeen: isWithin(sql`issue.created_at`),
  lastSeen: isWithin(sql`issue.last_detected_at`),
  triaged: isWithin(sql`issue.triaged_at`),
  fixed: (periods) => sql`(${issueStateIs(['fixed'])} and ${isWithin(sql`issue.triaged_at`)(periods)})`,
  ignored: (periods) => sql`(${issueStateIs(['ignored'])} and ${isWithin(sql`issue.triaged_at`)(periods)})`,
  text: isAnyText,
};

function criteriaSql(criteria: FindingCriteria, caller: Caller): Sql {
  const conditions = (Object.keys(criteria) as (keyof FindingCriteria)[]).flatMap((name) => {
    const value = criteria[name];
    const condition = CONDITIONS[name] as ((value: unknown, caller: Caller) => Sql) | undefined;
    return value === undefined || value === false ? [] : [condition ? condition(value, caller) : sql`false`];
  });
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, sql` and `)})`;
}

/**
 * True if one of its projects is in the subquery, which is evaluated once. A scalar subquery instead of `exists`, which
 * the planner would turn into a hash of the links of all issues, even if a page needs a few.
 */
const hasProjectIn = (projects: Sql): Sql => sql`
  (select true from workflow_issue_project as link
   where link.deployment_id = issue.deployment_id and link.issue_id = issue.id
     and link.project_id = any(array(${projects})) limit 1) is true`;

const visibleProjects = (caller: Caller, condition: Sql): Sql => sql`
  select project.id from project
  where project.deployment_id = ${caller.deployment} and ${projectVisibilitySql(caller)} and ${condition}`;

/** It has no project, or one that the caller may see and that is not archived (AZN-08). */
function isIncluded({ caller }: CallerContext, isArchived: boolean): Sql {
  const live = visibleProjects(caller, sql`project.archived_at is null`);
  const archived = visibleProjects(caller, sql`project.archived_at is not null`);
  if (isArchived)
    return sql`((select exists (${archived})) and not ${hasProjectIn(live)} and ${hasProjectIn(archived)})`;
  if (!caller.seesEverything) return sql`(not issue.is_in_project or ${hasProjectIn(live)})`;
  // If no project is archived and the caller sees everything, no lookup is needed.
  return sql`((select not exists (${archived})) or not issue.is_in_project or ${hasProjectIn(live)}
    or not ${hasProjectIn(archived)})`;
}

/** A condition on `issue`, a row of workflow_issue, including what the caller may see. The deployment comes first. */
export function issueFilterSql({ and = [], without = [], ...filter }: FindingFilter, context: CallerContext): Sql {
  const { isArchived = false, isAnywhere: _, isByRef: __, ...own } = filter;
  const { caller } = context;
  const conditions = [
    sql`issue.deployment_id = ${caller.deployment}`,
    isIncluded(context, isArchived),
    ...limitJoins([own, ...and].map((criteria) => criteriaSql(criteria, caller))),
    ...without.map((criteria) => sql`${criteriaSql(criteria, caller)} is not true`),
  ];
  return sql`(${join(conditions, sql` and `)})`;
}
