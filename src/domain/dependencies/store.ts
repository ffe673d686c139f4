import { z } from 'zod';
import type { StagingTable } from '#kernel/db/query/staging-table.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** The staging table for imported dependencies. */
export const DEPENDENCY_STAGE: StagingTable = {
  table: 'stage_dependency',
  columns: {
    path: 'text',
    ecosystem: 'text',
    package: 'text',
    version: 'text',
    transitivity: 'text',
    line: 'integer',
    licenses: 'text[]',
    resolved_url: 'text',
    purl: 'text',
    manifest_path: 'text',
  },
};

export interface DependencyScan {
  deployment: string;
  project: string;
  ref: string;
  analysis: string;
  scan: string;
  at: Date;
  /** Only a full scan deletes the dependencies of lockfiles that it did not report. */
  isFull: boolean;
  pathsFailed: readonly string[];
}

/** Imports the rows of `stage_dependency`: the dependencies of each reported lockfile are replaced as a whole. */
export async function replaceDependencies(tx: Tx, scan: DependencyScan): Promise<void> {
  const { deployment, project, ref, analysis } = scan;
  await tx.run`
    delete from dependency where deployment_id = ${deployment} and analysis_id = ${analysis}
      and path in (select path from stage_dependency)
      and not exists (select from stage_dependency as incoming
        where incoming.path = dependency.path and incoming.ecosystem = dependency.ecosystem
          and incoming.package = dependency.package and incoming.version = dependency.version)`;
  await tx.run`
    insert into dependency (deployment_id, project_id, ref_id, analysis_id, path, ecosystem, package, version,
      transitivity, line, licenses, resolved_url, purl, manifest_path, scan_id, seen_at)
    select distinct on (path, ecosystem, package, version) ${deployment}::bigint, ${project}::bigint,
      ${ref}::bigint, ${analysis}::bigint, path, ecosystem, package, version, transitivity, line, licenses,
        resolved_url, purl,
      manifest_path, ${scan.scan}::bigint, ${scan.at}::timestamptz
    from stage_dependency
    order by path, ecosystem, package, version, transitivity
    on conflict (deployment_id, analysis_id, path, ecosystem, package, version) do update
      set transitivity = excluded.transitivity, line = excluded.line, licenses = excluded.licenses,
          resolved_url = excluded.resolved_url, purl = excluded.purl, manifest_path = excluded.manifest_path
      where (dependency.transitivity, dependency.line, dependency.licenses, dependency.manifest_path)
        is distinct from (excluded.transitivity, excluded.line, excluded.licenses, excluded.manifest_path)`;
  if (!scan.isFull) return;
  await tx.run`
    delete from dependency where deployment_id = ${deployment} and analysis_id = ${analysis}
      and exists (select from stage_dependency) and path not in (select path from stage_dependency)
      and path <> all(${scan.pathsFailed}::text[])`;
}

export interface ListedDependency {
  package: string;
  version: string;
  ecosystem: string;
  transitivity?: string | null | undefined;
  resolved_url?: string | null | undefined;
  manifest_path?: string | null | undefined;
  line_number?: number | null | undefined;
}

const AnalyzedScan = z.object({ project: z.string(), ref: z.string(), analysis: z.string() });
const KNOWN_TRANSITIVITIES: ReadonlySet<string> = new Set(['direct', 'transitive', 'unknown']);

/** Imports the dependencies that a scanner reports by lockfile when its scan ends. */
export async function replaceListedDependencies(
  tx: Tx,
  ended: { deployment: string; scan: string; at: Date; isFull: boolean },
  lockfiles: readonly [path: string, found: ListedDependency[]][],
): Promise<void> {
  const analyzed = await tx.one(AnalyzedScan)`
    select scan.project_id as project, scan.ref_id as ref, analysis.id as analysis from scan
    join analysis on analysis.deployment_id = scan.deployment_id and analysis.last_scan_id = scan.id
    where scan.deployment_id = ${ended.deployment} and scan.id = ${ended.scan}`;
  if (!analyzed) return;
  const rows = lockfiles.flatMap(([path, found]) =>
    found.map((dependency) => [
      path,
      dependency.ecosystem,
      dependency.package,
      dependency.version,
      KNOWN_TRANSITIVITIES.has(dependency.transitivity ?? '') ? dependency.transitivity : 'unknown',
      dependency.line_number ?? null,
      [],
      dependency.resolved_url ?? null,
      null,
      dependency.manifest_path ?? null,
    ]),
  );
  await tx.copy(DEPENDENCY_STAGE, rows);
  await replaceDependencies(tx, {
    ...ended,
    ...analyzed,
    pathsFailed: [],
  });
}
