import { triageFindings } from '#domain/findings/triage/triage.ts';
import * as members from '#domain/teams/members.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import * as issues from '#services/public-issues/contract.ts';
import type { Scenario } from '../world/scenario.ts';
import { uniqueName } from '../world/world.ts';
import { makeReportedFinding, ProjectScans } from './project-scans.ts';
import { makeTeam } from './projects.ts';

/** An issue without a project, so that every member sees it. */
export async function makeIssue({ world, place }: Scenario): Promise<string> {
  const { body } = await world.as(issues, (await world.signIn(place.admin)).jwt).reportIssues({
    path: { deploymentId: place.id },
    body: {
      workflowId: 'test',
      issues: [{ identity: uniqueName('identity'), title: uniqueName('Issue '), severity: 'SEVERITY_HIGH' }],
    },
  });
  return body.issues[0]?.id ?? '';
}

async function scanned(scene: Scenario, findings: Parameters<ProjectScans['scan']>[0]): Promise<string> {
  const { world, place } = scene;
  const scanning = await ProjectScans.start(world, place);
  const team = await makeTeam(scene);
  await world.inDeployment(place, (tx) => members.addProjects(tx, { deployment: place.id, team }, [scanning.project]));
  await scanning.scan(findings);
  const [found] = await scanning.findings();
  return found?.id ?? '';
}

export function makeFindingOfRule(scene: Scenario, rule: string): Promise<string> {
  const code = uniqueName('eval(');
  return scanned(scene, [
    makeReportedFinding({ rule, path: 'src/app.js', line: 7, code, context: `before\n${code}\nafter` }),
  ]);
}

export function makeFinding(scene: Scenario): Promise<string> {
  return makeFindingOfRule(scene, 'detect-eval');
}

export function makeSecret(scene: Scenario): Promise<string> {
  const secret = { product: 'secrets', secret: { type: 'AWS', value: uniqueName('AKIA') } } as const;
  return scanned(scene, [makeReportedFinding({ rule: 'aws', path: 'env', line: 1, code: '***', more: secret })]);
}

export async function makeFindingBatch(scene: Scenario): Promise<string> {
  const { world, place } = scene;
  const finding = await makeFinding(scene);
  const permissions = new Set(['issue:triage', 'product:manage']);
  const caller = { ...anonymousCaller, kind: 'user', deployment: place.id, permissions, seesEverything: true } as const;
  const order = { filter: { ids: [finding] }, decision: { state: 'reviewing' } } as const;
  const { batch } = await world.inDeployment(place, (tx) => triageFindings(tx, { caller, now: new Date() }, order));
  return batch ?? '';
}
