import { principalOf } from '#domain/access/principal.ts';
import { teamVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import { FINDING_STATUSES, type FindingStatus } from '../shape.ts';
import { ASSIGNEE_ME, ASSIGNEE_NONE } from './assignee-words.ts';
import type {
  ConditionContext,
  FindingCriteria,
  HasValue,
  IsValue,
  NumberSpan,
  RefScope,
  TimePeriod,
} from './finding-filter.ts';
import { anyOf, containsPattern, matches, matchesIgnoringCase, type TextMatch } from './text-match.ts';
import { matchesTextSearch } from './text-search.ts';

/** The status that triage gives to a finding that scans still detect. */
export const triageStatus = (isMuted: Sql): Sql => sql`
  case when finding.triage_state = 'ignored' or ${isMuted} then 'ignored'
       when finding.triage_state in ('reviewing', 'fixing', 'provisionally_ignored') then finding.triage_state
       else 'open' end`;

/** The status of a finding on a single ref; needs `detection`. */
export const statusOnRef = sql`
  case when detection.state in ('fixed', 'removed') then detection.state
       else ${triageStatus(sql`detection.is_muted`)} end`;

/** The status to display; a finding that exists only on other refs shows its triage status. */
export const displayStatus = sql`
  case when finding.status = 'elsewhere' then ${triageStatus(sql`finding.is_muted`)} else finding.status end`;

/** The detections of `finding` with their refs, for the FROM clause of an EXISTS or a lateral join. */
export const detectionsWithRefs = sql`
  detection
  join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
  join project_ref on project_ref.deployment_id = analysis.deployment_id
    and project_ref.id = analysis.ref_id`;

export const ofFinding = sql`
  detection.deployment_id = finding.deployment_id and detection.finding_id = finding.id`;

const isDetected = (condition: Sql): Sql =>
  sql`exists (select from ${detectionsWithRefs} where ${ofFinding} and ${condition})`;

export function statusIs(statuses: readonly FindingStatus[], { ref, isAnyRef, isAnywhere }: RefScope): Sql {
  if (isAnyRef)
    return sql`exists (select from detection where ${ofFinding} and ${statusOnRef} = any(${statuses}::text[]))`;
  if (ref) return isDetected(sql`${ref} and ${statusOnRef} = any(${statuses}::text[])`);
  const status = isAnywhere ? displayStatus : sql`finding.status`;
  return sql`${status} = any(${statuses}::text[])`;
}

/** True if a detail names the package as malicious. */
export const maliciousIn = (detail: Sql): Sql => sql`coalesce(${detail}->>'isMalicious' = 'true', false)`;
export const isMalicious = maliciousIn(sql`finding.detail`);

/** True if a detail contains a fix, or versions that have one. */
export const hasFix = (detail: Sql): Sql =>
  sql`(${detail} ? 'fix' or jsonb_array_length(coalesce(${detail}->'fixVersions', '[]')) > 0)`;

/** A finding that became relevant after the caller marked it as done is unseen again. */
export const isUnseen = (caller: Caller): Sql => sql`not exists (
  select from inbox_done as done
  where done.deployment_id = finding.deployment_id and done.reader = ${principalOf(caller)}
    and done.finding_id = finding.id and done.at >= finding.relevant_since)`;

/** Values of `is` that are not statuses. */
const IS_CONDITIONS: Record<Exclude<IsValue, FindingStatus>, (scope: ConditionContext) => Sql> = {
  reopened: (scope) =>
    sql`(${statusIs(['open'], scope)} and (finding.triage_state = 'reopened' or finding.reopened_count > 0))`,
  ignored_by_people: (scope) => sql`(${statusIs(['ignored'], scope)} and not finding.is_muted)`,
  ignored_in_code: (scope) => sql`(${statusIs(['ignored'], scope)} and finding.is_muted)`,
  new: () => isDetected(sql`detection.state = 'detected' and analysis.last_scan_id = finding.first_scan_id`),
  flapping: () => sql`finding.is_flapping`,
  held: () => sql`finding.is_held`,
  muted: () => sql`finding.is_muted`,
  malicious: () => isMalicious,
  unseen: ({ context }) => isUnseen(context.caller),
};

export const isStatus = (value: IsValue): value is FindingStatus =>
  (FINDING_STATUSES as readonly string[]).includes(value);

function isCondition(values: readonly IsValue[], scope: ConditionContext): Sql {
  const statuses = values.filter(isStatus);
  return anyOf([
    ...(statuses.length > 0 ? [statusIs(statuses, scope)] : []),
    ...values.flatMap((value) => (isStatus(value) ? [] : [IS_CONDITIONS[value](scope)])),
  ]);
}

const isAnyOf = (column: Sql) => (values: readonly string[]) => sql`${column} = any(${values}::text[])`;
const isAnyRank = (column: Sql) => (values: readonly number[]) => sql`${column} = any(${values}::smallint[])`;
const textMatches = (column: Sql) => (texts: readonly TextMatch[]) => matches(column, texts);

export const isWithin = (moment: Sql) => (periods: readonly TimePeriod[]) =>
  anyOf(
    periods.map(
      ({ from, to }) => sql`(${from ? sql`${moment} >= ${from}` : sql`${moment} is not null`}
        and ${to ? sql`${moment} < ${to}` : sql`true`})`,
    ),
  );

/** When the finding stopped being open: when a scan found it fixed, otherwise when it was triaged. */
export const closedAt = sql`case finding.status when 'fixed' then finding.fixed_at
  else coalesce(finding.triaged_at, finding.first_seen_at) end`;

/** True if the finding was open at a moment: first seen before it, and still open or closed later. */
const wasOpen = (moment: Date) =>
  sql`(finding.first_seen_at < ${moment} and (finding.status = 'open' or ${closedAt} >= ${moment}))`;

/** The last scan time for analyses that still detect the finding, otherwise the time of the last state change. */
const lastSeen = sql`
  (select max(case when detection.state = 'detected' then coalesce(analysis.last_scanned_at, detection.changed_at)
                   else detection.changed_at end)
   from ${detectionsWithRefs} where ${ofFinding})`;

/** The CWE id at the start of an entry: `CWE-89` of `CWE-89: Improper …`. */
export const cweOf = (entry: Sql): Sql => sql`substring(${entry} from '^(CWE-[0-9]+)(?:[: ]|$)')`;

const SEPARATOR = '\u0001';

/**
 * True if an entry of a list column equals a value or starts with it: `CWE-89: Improper …`, `A03:2021 - Injection`. The
 * list is compared as one string, because unnesting it for each finding is much slower.
 */
export const hasListEntry = (column: Sql) => (values: readonly string[]) => {
  const patterns = values.flatMap((value) =>
    [SEPARATOR, ':', ' '].map((end) => containsPattern(`${SEPARATOR}${value}${end}`)),
  );
  const joined = sql`${SEPARATOR}::text || array_to_string(${column}, ${SEPARATOR}::text) || ${SEPARATOR}::text`;
  return sql`(${joined}) like any(${patterns}::text[])`;
};

const epss = sql`(finding.detail->'epss'->>'score')::numeric`;

const epssIsInSpan = ({ isNone, from, to, above, below }: NumberSpan) =>
  isNone === true
    ? sql`(finding.product = 'sca' and ${epss} is null)`
    : sql`
  (${epss} >= ${from ?? 0} and ${epss} <= ${to ?? 1} and ${epss} > ${above ?? -1} and ${epss} < ${below ?? 2})`;

/** Intents without a ticket do not count. */
export const hasTicket = sql`exists (
  select from ticket_finding as linked
  join ticket on ticket.deployment_id = linked.deployment_id and ticket.id = linked.ticket_id
  where linked.deployment_id = finding.deployment_id and linked.finding_id = finding.id and ticket.url is not null)`;

const HAS_CONDITIONS: Record<HasValue, Sql> = {
  fix: hasFix(sql`finding.detail`),
  ticket: hasTicket,
  note: sql`coalesce(finding.triage_note, '') <> ''`,
  trace: sql`finding.detail ? 'trace'`,
};

/**
 * True if the finding's project is in the subquery. `is true` keeps the planner at a hashed subplan: as a join it would
 * start from the projects and sort all of their findings.
 */
export const projectIsAmong = (projects: Sql): Sql => sql`(finding.project_id in (${projects})) is true`;

/** The projects of the teams that the caller may see, including nested teams. */
export const projectsOfTeams = (isNamed: Sql, caller: Caller): Sql => sql`
  with recursive selected as (
    select team.id from team
    where team.deployment_id = (select current_deployment()) and ${teamVisibilitySql(caller)} and ${isNamed}
    union
    select team.id from team join selected on team.parent_team_id = selected.id
    where team.deployment_id = (select current_deployment()))
  select team_project.project_id from team_project join selected on selected.id = team_project.team_id
  where team_project.deployment_id = (select current_deployment())`;

/** Conditions on the project, as subqueries of project ids. */
export const PROJECT_CONDITIONS = {
  projects: (texts: readonly TextMatch[]) => sql`
    select named.id from project as named
    where named.deployment_id = (select current_deployment()) and ${matchesIgnoringCase(sql`named.name`, texts)}`,
  tags: (texts: readonly TextMatch[]) => sql`
    select project_tag.project_id from project_tag
    where project_tag.deployment_id = (select current_deployment())
      and ${matchesIgnoringCase(sql`project_tag.tag`, texts)}`,
  teams: (texts: readonly TextMatch[], caller: Caller) =>
    projectsOfTeams(sql`(${matchesIgnoringCase(sql`team.name`, texts)} or ${matches(sql`team.slug`, texts)})`, caller),
};

const isAnyText = (values: readonly string[]) => {
  const patterns = values.map(containsPattern);
  const columns = [sql`finding.title`, sql`finding.message`, sql`finding.rule`, sql`finding.path`];
  return anyOf(columns.map((column) => sql`${column} ilike any(${patterns}::text[])`));
};

const placeMatches = (kind: string) => (texts: readonly TextMatch[]) =>
  sql`(finding.place_kind = ${kind} and ${matches(sql`finding.path`, texts)})`;

function isAssignedTo(words: readonly string[], caller: Caller): Sql {
  const emails = words.filter((word) => word !== ASSIGNEE_ME && word !== ASSIGNEE_NONE);
  const own = words.includes(ASSIGNEE_ME) && caller.kind === 'user' ? [caller.userId] : [];
  return anyOf([
    ...(words.includes(ASSIGNEE_NONE) ? [sql`finding.assignee_id is null`] : []),
    sql`finding.assignee_id = any(${own}::bigint[] || array(
      select account.id from account where account.email_key = any(${emails}::text[])))`,
  ]);
}

/** `pullRequestEpisode` is evaluated for the filter as a whole. */
type Conditions = {
  [Name in Exclude<keyof FindingCriteria, 'pullRequestEpisode'>]-?: (
    value: NonNullable<FindingCriteria[Name]>,
    scope: ConditionContext,
  ) => Sql;
};

/** The condition on `finding` for each member of the criteria. */
export const FINDING_CONDITIONS: Conditions = {
  ids: (ids) => sql`(finding.id = any(${ids}::bigint[]) or finding.id = any(array(
    select named.finding_id from detection as named
    where named.deployment_id = (select current_deployment()) and named.id = any(${ids}::bigint[]))))`,
  products: isAnyOf(sql`finding.product`),
  is: isCondition,
  reasons: (reasons) => sql`(finding.triage_state = 'ignored'
    and coalesce(finding.triage_reason, 'no_triage_reason') = any(${reasons}::text[]))`,
  severities: isAnyRank(sql`finding.severity`),
  confidences: isAnyRank(sql`finding.confidence`),
  rules: textMatches(sql`finding.rule`),
  categories: textMatches(sql`finding.category`),
  paths: textMatches(sql`finding.path`),
  endpoints: placeMatches('endpoint'),
  resources: placeMatches('resource'),
  packages: textMatches(sql`finding.package`),
  advisories: (texts) => sql`(${matches(sql`finding.advisory`, texts)} or exists (
    select from jsonb_array_elements_text(finding.detail->'advisories') as other
    where ${matches(sql`other`, texts)}))`,
  tools: textMatches(sql`finding.tool`),
  refs: (texts) => isDetected(matches(sql`project_ref.ref`, texts)),
  refIds: (ids) => isDetected(sql`project_ref.id = any(${ids}::bigint[])`),
  projects: (texts) => projectIsAmong(PROJECT_CONDITIONS.projects(texts)),
  projectIds: (ids) => sql`finding.project_id = any(${ids}::bigint[])`,
  tags: (texts) => projectIsAmong(PROJECT_CONDITIONS.tags(texts)),
  teams: (texts, { context }) => projectIsAmong(PROJECT_CONDITIONS.teams(texts, context.caller)),
  cwes: hasListEntry(sql`finding.cwes`),
  owasps: hasListEntry(sql`finding.owasps`),
  ecosystems: isAnyOf(sql`lower(finding.ecosystem)`),
  modes: isAnyOf(sql`finding.mode`),
  reachabilities: (words) => sql`(finding.product = 'sca'
    and coalesce(replace(finding.reachability, ' ', '_'), 'no_reachability_analysis') = any(${words}::text[]))`,
  transitivities: (words) => sql`(finding.product = 'sca'
    and coalesce(finding.transitivity, 'unknown') = any(${words}::text[]))`,
  validations: (words) => sql`(finding.product = 'secrets'
    and coalesce(finding.validation, 'no_validator') = any(${words}::text[]))`,
  secretTypes: isAnyOf(sql`finding.secret_type`),
  epss: (spans) => anyOf(spans.map(epssIsInSpan)),
  assignees: (words, { context }) => isAssignedTo(words, context.caller),
  has: (things) => anyOf(things.map((thing) => HAS_CONDITIONS[thing])),
  relevantSince: isWithin(sql`finding.relevant_since`),
  firstSeen: isWithin(sql`finding.first_seen_at`),
  lastSeen: isWithin(lastSeen),
  triaged: isWithin(sql`finding.triaged_at`),
  fixed: (periods) => sql`(finding.status = 'fixed' and ${isWithin(sql`finding.fixed_at`)(periods)})`,
  ignored: (periods) => sql`(finding.status = 'ignored' and ${isWithin(closedAt)(periods)})`,
  openAt: (moments) => anyOf(moments.map(wasOpen)),
  decisionEnds: isWithin(sql`finding.triage_until`),
  exceptions: (states) => sql`finding.id in (
    select request.finding_id from exception_request as request
    where request.deployment_id = (select current_deployment()) and request.state = any(${states}::text[]))`,
  text: isAnyText,
  textMatches: matchesTextSearch,
  isMalicious: (expected) => (expected ? isMalicious : sql`not ${isMalicious}`),
  origins: isAnyOf(sql`coalesce(finding.detail #>> '{metadata,semgrep.dev,rule,origin}', 'custom')`),
  ruleKinds: isAnyOf(sql`finding.detail #>> '{metadata,sca-kind}'`),
  isImpossible: (isImpossible) => (isImpossible ? sql`false` : sql`true`),
};
