import { parseRef } from '#domain/scans/refs.ts';
import * as scans from '#domain/scans/store.ts';
import type { TestDeployment, World } from '../world/world.ts';

export interface PlantedDependencies {
  path?: string;
  ecosystem?: string;
  package: string;
  version: string;
  transitivity?: string;
  licenses?: string[];
  line?: number;
  purl?: string;
  manifestPath?: string;
}

/** An analysis of a ref of a project, as a scan stores it. */
export async function plantAnalysis(
  world: World,
  place: TestDeployment,
  {
    project,
    ref = 'main',
    key = 'test',
  }: {
    project: string;
    ref?: string;
    key?: string;
  },
): Promise<{ branch: string; analysis: string }> {
  return world.inDeployment(place, async (tx) => {
    const branch = await scans.recordRef(tx, { deployment: place.id, id: project }, parseRef(ref));
    const [row] = await tx.rows`
      insert into analysis (deployment_id, project_id, ref_id, key)
      values (${place.id}, ${project}, ${branch}, ${key})
      on conflict (deployment_id, ref_id, key) do update set key = excluded.key
      returning id`;
    return { branch, analysis: String(row?.['id']) };
  });
}

/** Dependencies of a ref of a project, as a scan stores them. */
export async function plantDependencies(
  world: World,
  place: TestDeployment,
  { project, ref = 'main', rows }: { project: string; ref?: string; rows: readonly PlantedDependencies[] },
): Promise<void> {
  const { branch, analysis } = await plantAnalysis(world, place, { project, ref });
  await world.inDeployment(place, async (tx) => {
    for (const row of rows)
      await tx.run`
        insert into dependency (deployment_id, project_id, ref_id, analysis_id, path, ecosystem, package, version,
          transitivity, line, licenses, purl, manifest_path, scan_id, seen_at)
        values (${place.id}, ${project}, ${branch}, ${analysis}, ${row.path ?? 'package-lock.json'},
          ${row.ecosystem ?? 'npm'}, ${row.package}, ${row.version}, ${row.transitivity ?? 'direct'},
          ${row.line ?? null}, ${row.licenses ?? []}, ${row.purl ?? null}, ${row.manifestPath ?? null}, 1, now())`;
  });
}

/** A finding of an advisory that a scan of the ref detects. */
export async function plantAdvisory(
  world: World,
  place: TestDeployment,
  finding: { project: string; refs?: string[]; advisory: string; aliases?: string[]; package: string; version: string },
): Promise<void> {
  const { project, refs = ['main'], advisory, aliases = [advisory] } = finding;
  const analyses: string[] = [];
  for (const ref of refs) analyses.push((await plantAnalysis(world, place, { project, ref })).analysis);
  await world.inDeployment(place, async (tx) => {
    const [row] = await tx.rows`
      insert into finding (deployment_id, project_id, product, tool, rule, title, message, severity, confidence,
        category, cwes, owasps, path, line, start_column, end_line, end_column, advisory, package, package_version,
        ecosystem, detail, state, first_scan_id, first_seen_at, relevant_since)
      values (${place.id}, ${project}, 'sca', 'test', ${`rule of ${advisory}`}, 'A flaw', 'A flaw', 4, 2, 'security',
        ${['CWE-79: XSS']}, ${[]}, 'package-lock.json', 1, 0, 1, 0, ${advisory}, ${finding.package},
        ${finding.version}, 'npm', ${JSON.stringify({ advisories: aliases })}::jsonb, 'detected', 1, now(), now())
      returning id`;
    for (const analysis of analyses)
      await tx.run`
        insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line,
          start_column, end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id)
        values (${place.id}, ${analysis}, ${row?.['id']}, 'detected', 'test', false, 'package-lock.json', 1, 0, 1, 0, 1,
          now(), now(), 1)`;
  });
}
