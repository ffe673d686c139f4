import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { dependencyConditions, isOnPrimaryRef, isPrimaryRef, primaryRefIds } from './dependency-filter.ts';
import { type DependencyFilter, PACKAGE_ECOSYSTEMS, type PackageEcosystem } from './shape.ts';

/** The start and maximum length of one page. */
export interface DependencyPageWindow<After> {
  after: After;
  limit: number;
}

const Row = z.object({
  id: z.string(),
  project_id: z.string(),
  url: z.string().optional(),
  ref: z.string(),
  path: z.string(),
  line: z.int().optional(),
  manifest_path: z.string().optional(),
  ecosystem: z.string(),
  package: z.string(),
  version: z.string(),
  transitivity: z.string(),
  licenses: z.array(z.string()),
  resolved_url: z.string().optional(),
});
export type DependencyRow = z.output<typeof Row>;

/** Dependencies in the order in which they were first found. */
export async function list(
  tx: Tx,
  caller: Caller,
  { filter, after, limit }: DependencyPageWindow<number> & { filter: DependencyFilter },
): Promise<{ rows: DependencyRow[]; hasMore: boolean }> {
  const conditions = await dependencyConditions(tx, caller, filter);
  const rows = (await tx.rows`
    with page as materialized (
      select dependency.* from dependency
      where dependency.deployment_id = ${caller.deployment} and dependency.id > ${after}::bigint
        and ${isOnPrimaryRef(caller, filter)} ${conditions}
      order by dependency.id limit ${limit + 1}::int
    )
    select page.id, page.project_id, project.url, project_ref.ref, page.path, page.line, page.manifest_path,
      page.ecosystem, page.package, page.version, page.transitivity, page.licenses, page.resolved_url
    from page
    join project on project.deployment_id = ${caller.deployment} and project.id = page.project_id
    join project_ref on project_ref.deployment_id = ${caller.deployment} and project_ref.id = page.ref_id
    order by page.id`) as unknown as DependencyRow[];
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

const lineUrl = ({ url, ref }: DependencyRow, path: string, line: number): string => {
  if (!url) return '';
  const parts = [ref, ...path.split('/')].map(encodeURIComponent).join('/');
  return `${url.replace(/\/$/, '')}/blob/${parts}${line > 0 ? `#L${line}` : ''}`;
};

function locationOf(row: DependencyRow, path: string, line: number) {
  const text = String(line);
  return { path, startLine: text, startCol: '0', endLine: text, endCol: '0', url: lineUrl(row, path, line) };
}

const TRANSITIVITY: Record<string, string> = { direct: 'DIRECT', transitive: 'TRANSITIVE' };

export const ecosystemOf = (text: string): PackageEcosystem =>
  PACKAGE_ECOSYSTEMS.find((ecosystem) => ecosystem === text) ?? 'no_package_manager';

/** A dependency as the API returns it. */
export const toFoundDependency = (row: DependencyRow) => ({
  repositoryId: row.project_id,
  definedAt: locationOf(row, row.path, row.line ?? 0),
  transitivity: TRANSITIVITY[row.transitivity] ?? 'UNKNOWN_TRANSITIVITY',
  package: { name: row.package, versionSpecifier: row.version },
  ecosystem: ecosystemOf(row.ecosystem),
  licenses: row.licenses,
  ...(row.manifest_path ? { manifestDefinition: locationOf(row, row.manifest_path, 0) } : {}),
  resolvedUrl: row.resolved_url ?? '',
});

const Repository = z.object({ id: z.string(), name: z.string(), numDependencies: z.int() });

/** Projects that have matching dependencies on their primary ref, with the count, in order of their ids. */
export async function listRepositories(
  tx: Tx,
  caller: Caller,
  { filter, after, limit }: DependencyPageWindow<number> & { filter: DependencyFilter },
): Promise<{ rows: z.output<typeof Repository>[]; hasMore: boolean }> {
  const conditions = await dependencyConditions(tx, caller, filter);
  const { includeArchived = false } = filter;
  const rows = await tx.all(Repository)`
    select project.id, project.name, counted.count as "numDependencies"
    from project
    join project_ref on project_ref.deployment_id = project.deployment_id
      and project_ref.project_id = project.id and ${isPrimaryRef}
    cross join lateral (
      select count(*)::integer as count from dependency
      where dependency.deployment_id = project.deployment_id and dependency.ref_id = project_ref.id ${conditions}
    ) as counted
    where project.deployment_id = ${caller.deployment} and project.id > ${after}::bigint
      and (project.archived_at is not null) = ${includeArchived}::boolean and ${projectVisibilitySql(caller)}
      and counted.count > 0
    order by project.id limit ${limit + 1}::int`;
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** No scan here analyzes dependency paths. */
export const toRepositorySummary = ({ id, ...summary }: z.output<typeof Repository>) => ({
  id: id as Id<'Project'>,
  ...summary,
  hasDependencyPathScan: false,
});

const Lockfile = z.object({ lockfilePath: z.string(), numDependencies: z.int() });

/** The lockfiles of a project with matching dependencies, in order of their paths: up to one more than the limit. */
export async function listLockfiles(
  tx: Tx,
  caller: Caller,
  {
    filter,
    project,
    after,
    limit,
  }: DependencyPageWindow<string | undefined> & { filter: DependencyFilter; project: string },
): Promise<z.output<typeof Lockfile>[]> {
  const conditions = await dependencyConditions(tx, caller, filter);
  const isAfter: Sql = sql`(${after ?? null}::text is null or dependency.path > ${after ?? null}::text)`;
  return tx.all(Lockfile)`
    select dependency.path as "lockfilePath", count(*)::integer as "numDependencies"
    from dependency
    where dependency.deployment_id = ${caller.deployment} and dependency.project_id = ${project}
      and dependency.ref_id in (${primaryRefIds(caller, filter)} and project.id = ${project}) and ${isAfter}
      ${conditions}
    group by dependency.path order by dependency.path limit ${limit + 1}::int`;
}
