import { gzipSync } from 'node:zlib';
import * as scans from '#domain/scans/store.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';
import { makeFinding } from './findings.ts';
import { makeProject } from './projects.ts';

/** A branch of the latest project, because an example names both; of a new project if there is none. */
export async function makeBranch(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const statement = 'select max(id) as id from project where deployment_id = $1';
  const [row] = await world.queryAsOwner<{ id: string | null }>(statement, [place.id]);
  const project = { deployment: place.id, id: row?.id ?? (await makeProject(scene)) };
  return world.inDeployment(place, (tx) =>
    scans.recordRef(tx, project, { name: uniqueName('branch-'), kind: 'branch' }),
  );
}

const EMPTY_REPORT = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'checker' } }, results: [] }],
});

export async function makeRunningScan(scene: Scenario): Promise<string> {
  const scan = await makeScan(scene, await makeProject(scene));
  await scene.world.queryAsOwner(`update scan set status = 'running' where deployment_id = $1 and id = $2`, [
    scene.place.id,
    scan,
  ]);
  return scan;
}

/** A scan with its report, the latest of its analysis. */
export async function makeTrackedScan(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const scan = await makeScan(scene, await makeProject(scene));
  await world.queryAsOwner(
    `insert into analysis (deployment_id, project_id, ref_id, key, last_scan_id)
     select deployment_id, project_id, ref_id, 'checker', id from scan where deployment_id = $1 and id = $2`,
    [place.id, scan],
  );
  await world.queryAsOwner(`insert into scan_report (deployment_id, scan_id, chunk, bytes) values ($1, $2, 0, $3)`, [
    place.id,
    scan,
    gzipSync(EMPTY_REPORT),
  ]);
  return scan;
}

/** A scan that holds the closing of a finding. */
export async function makeHoldingScan(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const finding = await makeFinding(scene);
  const [held] = await world.queryAsOwner<{ scan: string }>(
    `update detection set is_held = true where deployment_id = $1 and finding_id = $2
     returning changed_scan_id as scan`,
    [place.id, finding],
  );
  return held?.scan ?? '';
}

/** A completed full scan of a project. */
export function makeScan({ world, place }: Scenario, project: string): Promise<string> {
  return world.inDeployment(place, async (tx) => {
    const branch = await scans.recordRef(tx, { deployment: place.id, id: project }, { name: 'main', kind: 'branch' });
    const id = await scans.start(tx, {
      deployment: place.id,
      project,
      ref: branch,
      source: 'cli',
      format: 'semgrep',
      tool: 'semgrep',
      analysisKey: 'semgrep',
      mode: 'full',
      products: ['sast', 'sca'],
      commit: 'c0ffee',
      environment: 'github-actions',
      scannerVersion: '1.99.0',
      meta: { on: 'push', branch: 'refs/heads/main' },
      startedBy: 'a test',
      at: new Date(),
    });
    await tx.run`
      update scan set status = 'completed', exit_code = 0, completed_at = started_at + interval '12.5 seconds'
      where deployment_id = ${place.id} and id = ${id}`;
    return id;
  });
}
