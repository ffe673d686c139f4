import type { ScmTransaction } from '#domain/scm/open-host.ts';
import { syncConfig } from '#domain/scm/sync-repositories.ts';
import type { Scenario } from '../world/scenario.ts';
import { FakeGitea } from './fake-gitea.ts';
import { FakeGithubHost } from './fake-github.ts';
import { FakeGitlabHost } from './fake-gitlab.ts';
import { HOST_TOKEN } from './fake-host.ts';

export type AnyFakeHost = FakeGitea | FakeGithubHost | FakeGitlabHost;

/** All code hosts that can be connected, each with its counterpart on loopback. */
export const HOSTS: readonly { name: string; start(): Promise<AnyFakeHost> }[] = [
  { name: 'Gitea', start: () => FakeGitea.start() },
  { name: 'GitHub', start: () => FakeGithubHost.start() },
  { name: 'GitLab', start: () => FakeGitlabHost.start() },
];

/** The body that connects a host. */
export const connectionTo = (host: AnyFakeHost) => ({
  type: host.settings.type as 'SCM_TYPE_UNKNOWN',
  namespace: host.organization,
  baseUrl: host.url,
  accessToken: HOST_TOKEN,
});

export const scmTransaction =
  ({ world, place }: Scenario): ScmTransaction =>
  (work) =>
    world.inDeployment(place, work);

/** Reads the list of a host, as the job would. */
export const syncNow = (scene: Scenario, config: string, at = new Date()) =>
  syncConfig(scmTransaction(scene), scene.world.assembly.services, {
    ref: { deployment: scene.place.id, id: config },
    at,
  });
