import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEPENDENCY_FILTER_REFUSED, type DependencyFilter, type PackageFilter } from './shape.ts';
import { boundsPredicate, parseLowerBound, parseUpperBound, type VersionBound } from './versions/version-bounds.ts';

/** More different versions than this are not compared for one request. */
const MOST_VERSIONS = 100_000;

const TRANSITIVITY = { UNKNOWN_TRANSITIVITY: 'unknown', TRANSITIVE: 'transitive', DIRECT: 'direct' } as const;

const filled = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);
const list = <Item>(items: readonly Item[] | undefined): readonly Item[] | null =>
  items === undefined || items.length === 0 ? null : items;

export const isPrimaryRef = sql`project_ref.ref = coalesce(project.primary_branch, project.default_branch)`;

/** The refs that stand for the projects that the caller sees. */
export const primaryRefIds = (caller: Caller, { includeArchived = false }: DependencyFilter): Sql => sql`
  select project_ref.id from project
  join project_ref on project_ref.deployment_id = project.deployment_id
    and project_ref.project_id = project.id and ${isPrimaryRef}
  where project.deployment_id = ${caller.deployment}
    and (project.archived_at is not null) = ${includeArchived}::boolean and ${projectVisibilitySql(caller)}`;

/**
 * A condition on `dependency`: it belongs to a ref that stands for a project that the caller sees. Kept from becoming
 * a join, which PostgreSQL would sort as a whole where an index has the order and a page is enough.
 */
export const isOnPrimaryRef = (caller: Caller, filter: DependencyFilter): Sql =>
  sql`coalesce(dependency.ref_id in (${primaryRefIds(caller, filter)}), false)`;

/** A package filter with its bounds read: a range is a number under which its versions are looked up. */
interface Wanted {
  name: string | null;
  isExact: boolean;
  version: string | null;
  bounds: VersionBound[];
}

function wantedOf({ name, exactNameMatch, exactVersion, ...bounds }: PackageFilter): Wanted {
  const read = (text: string | undefined, how: (text: string) => VersionBound | undefined): VersionBound[] => {
    if (text === undefined || text.trim() === '') return [];
    const bound = how(text);
    if (!bound) throw DEPENDENCY_FILTER_REFUSED({ reason: `"${text}" is no bound of a version` });
    return [bound];
  };
  return {
    name: filled(name),
    isExact: exactNameMatch === true,
    version: filled(exactVersion),
    bounds: [...read(bounds.versionLowerBound, parseLowerBound), ...read(bounds.versionUpperBound, parseUpperBound)],
  };
}

const nameIs = sql`(wanted.name is null
  or case when wanted.is_exact then dependency.package = wanted.name
          else position(lower(wanted.name) in lower(dependency.package)) > 0 end)
  and (wanted.version is null or dependency.version = wanted.version)`;

const namesOf = (wanted: readonly Wanted[]) => sql`
  unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ isExact }) => isExact)}::boolean[],
         ${wanted.map(({ version }) => version)}::text[],
         ${wanted.map(({ bounds }, index) => (bounds.length > 0 ? index : null))}::integer[])
    as wanted (name, is_exact, version, range)`;

/** Where all names are exact, an index finds them. */
function exactNames(wanted: readonly Wanted[]): Sql {
  const names = wanted.flatMap(({ name, isExact }) => (isExact && name !== null ? [name] : []));
  const isExact = wanted.length > 0 && names.length === wanted.length;
  return isExact ? sql`and dependency.package = any(${names}::text[])` : emptySql;
}

const plainConditions = (filter: DependencyFilter): Sql => sql`
  ${list(filter.repositoryId) ? sql`and dependency.project_id = any(${filter.repositoryId}::bigint[])` : emptySql}
  and (${filled(filter.name)}::text is null
    or position(lower(${filled(filter.name)}::text) in lower(dependency.package)) > 0)
  and (${filled(filter.version)}::text is null or dependency.version = ${filled(filter.version)}::text)
  and (${filled(filter.lockfilePath)}::text is null or dependency.path = ${filled(filter.lockfilePath)}::text)
  and (${list(filter.ecosystem)}::text[] is null or dependency.ecosystem = any(${list(filter.ecosystem)}::text[]))
  and (${transitivities(filter)}::text[] is null or dependency.transitivity = any(${transitivities(filter)}::text[]))
  and (${list(filter.license)}::text[] is null or dependency.licenses && ${list(filter.license)}::text[])
  and ${isAllowedAmong(filter)}::boolean`;

const transitivities = ({ transitivity }: DependencyFilter) => list(transitivity?.map((name) => TRANSITIVITY[name]));

/** There is no policy on licenses, so all of them are allowed. */
const isAllowedAmong = ({ licensePolicySettings: settings }: DependencyFilter) =>
  !list(settings) || settings?.includes('LICENSE_POLICY_SETTING_ALLOW') === true;

/** The versions that lie in some range, found by comparing each version of the packages once. */
async function versionsIn(tx: Tx, caller: Caller, { filter, wanted }: { filter: DependencyFilter; wanted: Wanted[] }) {
  const found: { range: number; ecosystem: string; version: string }[] = [];
  if (wanted.every(({ bounds }) => bounds.length === 0)) return found;
  const rows = await tx.rows`
    select distinct dependency.ecosystem, dependency.version
    from dependency
    where dependency.deployment_id = ${caller.deployment} and ${isOnPrimaryRef(caller, filter)}
      ${exactNames(wanted)} ${plainConditions(filter)}
      and exists (select from ${namesOf(wanted)} where ${nameIs})
    limit ${MOST_VERSIONS + 1}::int`;
  if (rows.length > MOST_VERSIONS) throw DEPENDENCY_FILTER_REFUSED({ reason: 'it asks for too many versions' });
  const pairs = rows.map((row) => ({ ecosystem: String(row['ecosystem']), version: String(row['version']) }));
  for (const [range, { bounds }] of wanted.entries()) {
    if (bounds.length === 0) continue;
    const tests = new Map(
      [...new Set(pairs.map(({ ecosystem }) => ecosystem))].map((one) => [one, boundsPredicate(one, bounds)]),
    );
    for (const pair of pairs) if (tests.get(pair.ecosystem)?.(pair.version)) found.push({ range, ...pair });
  }
  return found;
}

/** The filter as conditions on `dependency`: its text is one of a few, whatever it holds. */
export async function dependencyConditions(tx: Tx, caller: Caller, filter: DependencyFilter): Promise<Sql> {
  const wanted = (filter.packageFilters ?? []).map(wantedOf);
  if (wanted.length === 0) return plainConditions(filter);
  const versions = await versionsIn(tx, caller, { filter, wanted });
  return sql`${exactNames(wanted)} ${plainConditions(filter)}
    and exists (select from ${namesOf(wanted)} where ${nameIs}
      and (wanted.range is null or (wanted.range, dependency.ecosystem, dependency.version) in (
        select * from unnest(${versions.map(({ range }) => range)}::integer[],
          ${versions.map(({ ecosystem }) => ecosystem)}::text[], ${versions.map(({ version }) => version)}::text[]))))`;
}
