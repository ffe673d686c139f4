import type { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { LOCAL_SCAN_PREFIX, SCM_HOSTS } from '#domain/projects/rules.ts';
import type { ScmType } from '#domain/projects/shape.ts';
import { hostOfType } from '#domain/scm/scm-types.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { ProjectListFilter, RepoFilters } from './shape.ts';

/** SQL conditions on `project` for each member of a filter. */

export const isManagedProject: Sql = sql`(project.has_managed_diff_scan or project.has_managed_full_scan)`;

/** True for projects that were scanned or have managed scans. */
export const isSetUp: Sql = sql`(project.latest_scan_at is not null or ${isManagedProject})`;

const isArchived: Sql = sql`project.archived_at is not null`;

const isEither = (isTrue: boolean, condition: Sql): Sql => (isTrue ? condition : sql`not ${condition}`);

const all = (conditions: readonly (Sql | undefined)[]): Sql =>
  join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  );

/** A code host that is connected has a repository for it, and still shows it to us. */
const comesFromHost: Sql = sql`exists (select from scm_repository
  where scm_repository.deployment_id = project.deployment_id and scm_repository.project_id = project.id
    and scm_repository.gone_at is null)`;

/** The host of a project's URL. Does not use a regular expression, which would be slow on long lists. */
const host: Sql = sql`lower(split_part(split_part(split_part(split_part(
  translate(coalesce(project.url, ''), '?#\\', '///'), '://', 2), '/', 1), '@', -1), ':', 1))`;

const PUBLIC_ADDRESSES = Object.keys(SCM_HOSTS).map((name) => `https://${name}`);

/** Must agree with `scmTypeOf` and `typeOfHost`, so that the filter matches what records show. */
function isOfHost(type: ScmType): Sql {
  const { provider, baseUrl } = hostOfType(type) ?? {};
  const connected = sql`select from scm_repository as repository join scm_config as connection
    on connection.deployment_id = repository.deployment_id and connection.id = repository.config_id
    where repository.deployment_id = project.deployment_id and repository.project_id = project.id`;
  const isConnected =
    baseUrl === undefined
      ? sql`exists (${connected} and connection.provider = ${provider ?? ''}
        and connection.base_url <> all(${PUBLIC_ADDRESSES}::text[]))`
      : sql`exists (${connected} and connection.base_url = ${baseUrl})`;
  return sql`(${isConnected} or (${isNamedByHost(type)} and not exists (${connected})))`;
}

function isNamedByHost(type: ScmType): Sql {
  const names = Object.keys(SCM_HOSTS).filter((name) => type === 'SCM_TYPE_UNKNOWN' || SCM_HOSTS[name] === type);
  const spellings = names.flatMap((name) => [name, `www.${name}`]);
  if (type === 'SCM_TYPE_UNKNOWN') return sql`${host} <> all(${spellings}::text[])`;
  return sql`${host} = any(${spellings}::text[])`;
}

const latestStatus: Sql = sql`(
  select scan.status from scan
  where scan.deployment_id = project.deployment_id and scan.project_id = project.id
  order by scan.started_at desc, scan.id desc limit 1)`;

const BUCKETS = {
  LATEST_SCAN_STATUS_BUCKET_SUCCESSFUL: sql`${latestStatus} = 'completed'`,
  LATEST_SCAN_STATUS_BUCKET_HAD_PROBLEMS: sql`${latestStatus} in ('error', 'cancelled', 'never_finished')`,
  LATEST_SCAN_STATUS_BUCKET_NEVER_SCANNED: sql`${latestStatus} is null`,
} as const;

function matchesSearch(search: string, isInverted: boolean): Sql {
  return isEither(!isInverted, sql`(position(${nameKey(search)} in project.name_key) > 0)`);
}

/** The condition on `project` of the repository operations, including visibility. */
export function repoCondition(caller: Caller, filters: z.output<typeof RepoFilters> = {}): Sql {
  const given = <Value>(value: Value | undefined, condition: (value: Value) => Sql) =>
    value === undefined ? undefined : condition(value);
  return all([
    sql`project.deployment_id = ${caller.deployment}`,
    projectVisibilitySql(caller),
    isEither(filters.archived ?? false, isArchived),
    given(filters.search || undefined, (search) => matchesSearch(search, filters.invertSearch ?? false)),
    given(filters.codeAccess, (has) => isEither(has, comesFromHost)),
    given(filters.lastScanSince, (since) => sql`project.latest_scan_at >= ${since}`),
    given(filters.setup, (is) => isEither(is, isSetUp)),
    given(filters.ids, (ids) => sql`project.id = any(${ids}::bigint[])`),
    given(filters.hasSmsSetup, (has) => isEither(has, isManagedProject)),
    given(filters.isScmRepository, (is) => isEither(is, comesFromHost)),
    given(filters.isLocalScanProject, (is) => isEither(is, sql`starts_with(project.name_key, ${LOCAL_SCAN_PREFIX})`)),
    given(filters.scmType, isOfHost),
    given(
      filters.tagId,
      (tag) => sql`exists (select from project_tag
        join deployment_tag on deployment_tag.deployment_id = project_tag.deployment_id
          and deployment_tag.tag = project_tag.tag
        where project_tag.deployment_id = project.deployment_id and project_tag.project_id = project.id
          and deployment_tag.id = ${tag})`,
    ),
    given(filters.latestScanStatus, (bucket) => BUCKETS[bucket]),
  ]);
}

const STATUSES: Readonly<Partial<Record<string, Sql>>> = {
  PROJECT_STATUS_SETUP: sql`(not ${isArchived} and ${isSetUp})`,
  PROJECT_STATUS_NOT_SETUP: sql`(not ${isArchived} and not ${isSetUp})`,
  PROJECT_STATUS_ARCHIVED: sql`(${isArchived})`,
};

/** The condition on `project` of the project list, including visibility. */
export function projectCondition(caller: Caller, filter: z.output<typeof ProjectListFilter> = {}): Sql {
  const { assignedToTeams, names, statuses = [] } = filter;
  const statusConditions = statuses.flatMap((status) => STATUSES[status] ?? []);
  const isAssigned = sql`exists (select from team_project
    where team_project.deployment_id = project.deployment_id and team_project.project_id = project.id)`;
  return all([
    sql`project.deployment_id = ${caller.deployment}`,
    projectVisibilitySql(caller),
    statusConditions.length === 0 ? sql`not ${isArchived}` : sql`(${join(statusConditions, sql` or `)})`,
    assignedToTeams === undefined ? undefined : isEither(assignedToTeams, isAssigned),
    names === undefined || names.length === 0 ? undefined : sql`project.name_key = any(${names.map(nameKey)}::text[])`,
  ]);
}
