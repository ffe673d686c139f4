import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import { emptySql, join, type Sql, sql } from '#kernel/db/query/sql.ts';
import { FINDING_STATUSES, type FindingStatus } from '../shape.ts';
import { hasEpisode } from './episode-filter.ts';
import { FINDING_CONDITIONS, isStatus, projectIsAmong, statusIs } from './finding-conditions.ts';
import type {
  CallerContext,
  ConditionContext,
  FindingCriteria,
  FindingFilter,
  PullRequestEpisodeFilter,
  RefScope,
} from './finding-filter.ts';
import { limitJoins } from './joined-criteria.ts';
import { matches } from './text-match.ts';

const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : sql`(${join(conditions, sql` and `)})`;

const criteriaOf = ({ and, without: _, ...own }: FindingFilter): FindingCriteria[] => [own, ...(and ?? [])];

const episodeFiltersOf = (filter: FindingFilter): PullRequestEpisodeFilter[] =>
  criteriaOf(filter).flatMap(({ pullRequestEpisode }) => pullRequestEpisode ?? []);

/** True if the filter is about pull requests, so that findings that exist only there match too. */
const isAboutPullRequests = (filter: FindingFilter): boolean => episodeFiltersOf(filter).length > 0;

/** True if the filter must also match findings that exist only on pull requests, and removed ones. */
const includesAllRefs = (filter: FindingFilter): boolean =>
  isAboutPullRequests(filter) ||
  criteriaOf(filter).some(({ decisionEnds, exceptions }) => (decisionEnds ?? exceptions) !== undefined);

export function refScopeOf(filter: FindingFilter): RefScope {
  const refs = criteriaOf(filter).flatMap(({ refs: names, refIds }) => [
    ...(names ? [matches(sql`project_ref.ref`, names)] : []),
    ...(refIds ? [sql`project_ref.id = any(${refIds}::bigint[])`] : []),
  ]);
  const isByRef = refs.length > 0 || filter.isByRef === true;
  const isAnywhere = filter.isAnywhere ?? includesAllRefs(filter);
  return { isAnywhere, ...(isByRef && { ref: all(refs), isAnyRef: refs.length === 0 }) };
}

function criteriaSql(criteria: FindingCriteria, scope: ConditionContext): Sql {
  const conditions = (
    Object.entries(FINDING_CONDITIONS) as [keyof FindingCriteria, (value: never, scope: ConditionContext) => Sql][]
  ).flatMap(([name, condition]) => {
    const value = criteria[name];
    return value === undefined ? [] : [condition(value as never, scope)];
  });
  return all(conditions);
}

/** The statuses that a filter can match: removed findings are returned only if asked for by status or by id. */
export function statusesOf(filter: FindingFilter): FindingStatus[] {
  const criteria = criteriaOf(filter);
  const named = new Set(criteria.flatMap(({ is }) => is ?? []));
  const isById = criteria.some(({ ids }) => ids !== undefined);
  const { ref, isAnywhere } = refScopeOf(filter);
  const isByRef = ref !== undefined;
  const isShown = (status: FindingStatus) => {
    if (isById || isByRef || includesAllRefs(filter)) return true;
    if (status === 'removed') return named.has('removed');
    return status !== 'elsewhere' || isAnywhere || named.has('elsewhere');
  };
  const isPossible = (status: FindingStatus) =>
    (filter.fixed === undefined || status === 'fixed') && (filter.ignored === undefined || status === 'ignored');
  const possible = FINDING_STATUSES.filter((status) => isShown(status) && isPossible(status));
  const own = isByRef ? undefined : filter.is;
  if (!own?.every(isStatus)) return possible;
  const countsAsOpenElsewhere = (status: FindingStatus) => status === 'elsewhere' && isAnywhere;
  return possible.filter((status) => own.includes(status) || countsAsOpenElsewhere(status));
}

/** At least one of the named refs must still have the finding, unless removed findings are asked for. */
function isStillDetected(filter: FindingFilter, scope: RefScope): Sql[] {
  const criteria = criteriaOf(filter);
  if (scope.ref === undefined || criteria.some(({ ids, is }) => ids !== undefined || is?.includes('removed')))
    return [];
  // A requested status already implies a detection.
  if (filter.is?.every(isStatus)) return [];
  const others = FINDING_STATUSES.filter((status) => status !== 'removed');
  return [statusIs(others, scope)];
}

/** A condition on `project`: the caller may see it, and it is archived or active as requested. */
export const projectIsIncluded = (filter: FindingFilter, { caller }: CallerContext): Sql => sql`
  project.deployment_id = ${caller.deployment} and ${projectVisibilitySql(caller)} ${archivedCondition(filter)}`;

function archivedCondition(filter: FindingFilter): Sql {
  if (filter.isArchived === true) return sql`and project.archived_at is not null`;
  return isAboutPullRequests(filter) ? emptySql : sql`and project.archived_at is null`;
}

/**
 * Conditions on pull request episodes: all criteria must hold for one episode; each exclusion is evaluated together
 * with them.
 */
function episodeConditions(filter: FindingFilter, { now }: CallerContext): Sql[] {
  const required = episodeFiltersOf(filter);
  const excluded = (filter.without ?? []).flatMap(({ pullRequestEpisode }) => pullRequestEpisode ?? []);
  return [
    ...(required.length > 0 ? [hasEpisode(required, now)] : []),
    ...excluded.map((episode) => sql`(${hasEpisode([...required, episode], now)}) is not true`),
  ];
}

export const inIncludedProjects = (filter: FindingFilter, context: CallerContext): Sql =>
  projectIsAmong(sql`select project.id from project where ${projectIsIncluded(filter, context)}`);

/** A condition on `finding`, including what the caller may see (AZN-08). The deployment comes first. */
export function filterSql(filter: FindingFilter, context: CallerContext): Sql {
  const scope: ConditionContext = { ...refScopeOf(filter), context };
  const excluded = (filter.without ?? []).filter(({ pullRequestEpisode }) => pullRequestEpisode === undefined);
  return all([
    sql`finding.deployment_id = ${context.caller.deployment}`,
    sql`finding.status = any(${statusesOf(filter)}::text[])`,
    inIncludedProjects(filter, context),
    ...isStillDetected(filter, scope),
    ...limitJoins(criteriaOf(filter).map((criteria) => criteriaSql(criteria, scope))),
    ...excluded.map((criteria) => sql`${criteriaSql(criteria, scope)} is not true`),
    ...episodeConditions(filter, context),
  ]);
}
