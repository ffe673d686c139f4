import { triage } from '#domain/findings/triage.ts';
import * as members from '#domain/teams/members.ts';
import { nobody } from '#kernel/auth/caller.ts';
import * as issues from '#services/public-issues/contract.ts';
import { hit, Scanning } from '../scanning.ts';
import type { Scene } from '../scene.ts';
import { fresh } from '../world.ts';
import { makeTeam } from './projects.ts';

/** An issue of no project, so that every member sees it. */
export async function makeIssue({ world, place }: Scene): Promise<string> {
  const { body } = await world.as(issues, (await world.signIn(place.admin)).jwt).reportIssues({
    path: { deploymentId: place.id },
    body: {
      workflowId: 'test',
      issues: [{ identity: fresh('identity'), title: fresh('Issue '), severity: 'SEVERITY_HIGH' }],
    },
  });
  return body.issues[0]?.id ?? '';
}

async function scanned(scene: Scene, findings: Parameters<Scanning['scan']>[0]): Promise<string> {
  const { world, place } = scene;
  const scanning = await Scanning.start(world, place);
  const team = await makeTeam(scene);
  await world.in(place, (tx) => members.assign(tx, { deployment: place.id, team }, [scanning.project]));
  await scanning.scan(findings);
  const [found] = await scanning.findings();
  return found?.id ?? '';
}

export function makeFindingOfRule(scene: Scene, rule: string): Promise<string> {
  const code = fresh('eval(');
  return scanned(scene, [hit({ rule, path: 'src/app.js', line: 7, code, context: `before\n${code}\nafter` })]);
}

export function makeFinding(scene: Scene): Promise<string> {
  return makeFindingOfRule(scene, 'detect-eval');
}

export function makeSecret(scene: Scene): Promise<string> {
  const secret = { product: 'secrets', secret: { type: 'AWS', value: fresh('AKIA') } } as const;
  return scanned(scene, [hit({ rule: 'aws', path: 'env', line: 1, code: '***', more: secret })]);
}

export async function makeFindingBatch(scene: Scene): Promise<string> {
  const { world, place } = scene;
  const finding = await makeFinding(scene);
  const permissions = new Set(['issue:triage', 'product:manage']);
  const caller = { ...nobody, kind: 'user', deployment: place.id, permissions, seesEverything: true } as const;
  const order = { filter: { ids: [finding] }, decision: { state: 'reviewing' } } as const;
  const { batch } = await world.in(place, (tx) => triage(tx, { caller, now: new Date() }, order));
  return batch ?? '';
}
