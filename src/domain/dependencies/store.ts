import type { Tx } from '#kernel/db/tx.ts';

export interface DependencyScan {
  deployment: string;
  project: string;
  branch: string;
  analysis: string;
  scan: string;
  at: Date;
  /** Nothing is taken away where the scan did not look at everything. */
  isFull: boolean;
  pathsFailed: readonly string[];
}

/** Takes over what was staged in `stage_dependency`: each lockfile that was read is replaced as a whole. */
export async function takeOver(tx: Tx, scan: DependencyScan): Promise<void> {
  const { deployment, project, branch, analysis } = scan;
  await tx.run`
    delete from dependency where deployment_id = ${deployment} and analysis_id = ${analysis}
      and path in (select path from stage_dependency)
      and not exists (select from stage_dependency as incoming
        where incoming.path = dependency.path and incoming.ecosystem = dependency.ecosystem
          and incoming.package = dependency.package and incoming.version = dependency.version)`;
  await tx.run`
    insert into dependency (deployment_id, project_id, branch_id, analysis_id, path, ecosystem, package, version,
      transitivity, line, licenses, resolved_url, purl, manifest_path, scan_id, seen_at)
    select distinct on (path, ecosystem, package, version) ${deployment}::bigint, ${project}::bigint,
      ${branch}::bigint, ${analysis}::bigint, path, ecosystem, package, version, transitivity, line, licenses,
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
