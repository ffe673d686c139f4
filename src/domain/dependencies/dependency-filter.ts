import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEPENDENCY_FILTER_REFUSED, type DependencyFilter, type PackageFilter } from './shape.ts';
import { boundsPredicate, parseLowerBound, parseUpperBound, type VersionBound } from './versions/version-bounds.ts';

/** The maximum number of distinct versions that one request compares. */
const MAX_VERSIONS = 100_000;

const TRANSITIVITY = { UNKNOWN_TRANSITIVITY: 'unknown', TRANSITIVE: 'transitive', DIRECT: 'direct' } as const;

const textOrNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);
const listOrNull = <Item>(items: readonly Item[] | undefined): readonly Item[] | null =>
  items === undefined || items.length === 0 ? null : items;

export const isPrimaryRef = sql`project_ref.ref = coalesce(project.primary_branch, project.default_branch)`;

/** The ids of the primary refs of the projects that the caller sees. */
export const primaryRefIds = (caller: Caller, { includeArchived = false }: DependencyFilter): Sql => sql`
  select project_ref.id from project
  join project_ref on project_ref.deployment_id = project.deployment_id
    and project_ref.project_id = project.id and ${isPrimaryRef}
  where project.deployment_id = ${caller.deployment}
    and (project.archived_at is not null) = ${includeArchived}::boolean and ${projectVisibilitySql(caller)}`;

/**
 * A condition on `dependency`: it is on the primary ref of a project that the caller sees. `coalesce` keeps PostgreSQL
 * from turning it into a join, which would sort all rows where an index scan in order yields one page.
 */
export const isOnPrimaryRef = (caller: Caller, filter: DependencyFilter): Sql =>
  sql`coalesce(dependency.ref_id in (${primaryRefIds(caller, filter)}), false)`;

/** A package filter with its bounds parsed. */
interface ParsedPackageFilter {
  name: string | null;
  isExact: boolean;
  version: string | null;
  bounds: VersionBound[];
}

function parsePackageFilter({ name, exactNameMatch, exactVersion, ...bounds }: PackageFilter): ParsedPackageFilter {
  const parse = (text: string | undefined, parseBound: (text: string) => VersionBound | undefined): VersionBound[] => {
    if (text === undefined || text.trim() === '') return [];
    const bound = parseBound(text);
    if (!bound) throw DEPENDENCY_FILTER_REFUSED({ reason: `"${text}" is not a version bound` });
    return [bound];
  };
  return {
    name: textOrNull(name),
    isExact: exactNameMatch === true,
    version: textOrNull(exactVersion),
    bounds: [...parse(bounds.versionLowerBound, parseLowerBound), ...parse(bounds.versionUpperBound, parseUpperBound)],
  };
}

const matchesPackage = sql`(package_filter.name is null
  or case when package_filter.is_exact then dependency.package = package_filter.name
          else position(lower(package_filter.name) in lower(dependency.package)) > 0 end)
  and (package_filter.version is null or dependency.version = package_filter.version)`;

const packageRows = (packages: readonly ParsedPackageFilter[]) => sql`
  unnest(${packages.map(({ name }) => name)}::text[], ${packages.map(({ isExact }) => isExact)}::boolean[],
         ${packages.map(({ version }) => version)}::text[],
         ${packages.map(({ bounds }, index) => (bounds.length > 0 ? index : null))}::integer[])
    as package_filter (name, is_exact, version, range)`;

/** Lets an index find the packages if all names are exact. */
function exactNames(packages: readonly ParsedPackageFilter[]): Sql {
  const names = packages.flatMap(({ name, isExact }) => (isExact && name !== null ? [name] : []));
  const isExact = packages.length > 0 && names.length === packages.length;
  return isExact ? sql`and dependency.package = any(${names}::text[])` : emptySql;
}

const plainConditions = (filter: DependencyFilter): Sql => sql`
  ${listOrNull(filter.repositoryId) ? sql`and dependency.project_id = any(${filter.repositoryId}::bigint[])` : emptySql}
  and (${textOrNull(filter.name)}::text is null
    or position(lower(${textOrNull(filter.name)}::text) in lower(dependency.package)) > 0)
  and (${textOrNull(filter.version)}::text is null or dependency.version = ${textOrNull(filter.version)}::text)
  and (${textOrNull(filter.lockfilePath)}::text is null or dependency.path = ${textOrNull(filter.lockfilePath)}::text)
  and (${listOrNull(filter.ecosystem)}::text[] is null
    or dependency.ecosystem = any(${listOrNull(filter.ecosystem)}::text[]))
  and (${transitivities(filter)}::text[] is null or dependency.transitivity = any(${transitivities(filter)}::text[]))
  and (${listOrNull(filter.license)}::text[] is null or dependency.licenses && ${listOrNull(filter.license)}::text[])
  and ${includesAllowed(filter)}::boolean`;

const transitivities = ({ transitivity }: DependencyFilter) =>
  listOrNull(transitivity?.map((name) => TRANSITIVITY[name]));

/** There is no license policy, so all licenses are allowed. */
const includesAllowed = ({ licensePolicySettings: settings }: DependencyFilter) =>
  !listOrNull(settings) || settings?.includes('LICENSE_POLICY_SETTING_ALLOW') === true;

const VersionRow = z.object({ ecosystem: z.string(), version: z.string() });

/** The versions that lie within the bounds of a package filter; `range` is the index of that filter. */
async function versionsIn(
  tx: Tx,
  caller: Caller,
  { filter, packages }: { filter: DependencyFilter; packages: ParsedPackageFilter[] },
) {
  const found: { range: number; ecosystem: string; version: string }[] = [];
  if (packages.every(({ bounds }) => bounds.length === 0)) return found;
  const rows = await tx.all(VersionRow)`
    select distinct dependency.ecosystem, dependency.version
    from dependency
    where dependency.deployment_id = ${caller.deployment} and ${isOnPrimaryRef(caller, filter)}
      ${exactNames(packages)} ${plainConditions(filter)}
      and exists (select from ${packageRows(packages)} where ${matchesPackage})
    limit ${MAX_VERSIONS + 1}::int`;
  if (rows.length > MAX_VERSIONS) throw DEPENDENCY_FILTER_REFUSED({ reason: 'it matches too many versions' });
  for (const [range, { bounds }] of packages.entries()) {
    if (bounds.length === 0) continue;
    const predicates = new Map(
      [...new Set(rows.map(({ ecosystem }) => ecosystem))].map((name) => [name, boundsPredicate(name, bounds)]),
    );
    for (const row of rows) if (predicates.get(row.ecosystem)?.(row.version)) found.push({ range, ...row });
  }
  return found;
}

/** The filter as conditions on `dependency`. The SQL text has only a few variants, so that statements are reused. */
export async function dependencyConditions(tx: Tx, caller: Caller, filter: DependencyFilter): Promise<Sql> {
  const packages = (filter.packageFilters ?? []).map(parsePackageFilter);
  if (packages.length === 0) return plainConditions(filter);
  const versions = await versionsIn(tx, caller, { filter, packages });
  return sql`${exactNames(packages)} ${plainConditions(filter)}
    and exists (select from ${packageRows(packages)} where ${matchesPackage}
      and (package_filter.range is null or (package_filter.range, dependency.ecosystem, dependency.version) in (
        select * from unnest(${versions.map(({ range }) => range)}::integer[],
          ${versions.map(({ ecosystem }) => ecosystem)}::text[], ${versions.map(({ version }) => version)}::text[]))))`;
}
