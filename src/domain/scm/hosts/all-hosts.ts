import type { CodeHost } from './code-host.ts';
import { giteaHost } from './gitea-host.ts';
import { githubHost } from './github-host.ts';
import { gitlabHost } from './gitlab-host.ts';
import type { ScmProvider } from './host-shape.ts';

const HOSTS: Readonly<Partial<Record<ScmProvider, CodeHost>>> = {
  gitea: giteaHost,
  github: githubHost,
  gitlab: gitlabHost,
};

/** The adapter of a provider; undefined if it cannot be connected yet. */
export const findHost = (provider: ScmProvider): CodeHost | undefined => HOSTS[provider];

export function hostOf(provider: ScmProvider): CodeHost {
  const host = findHost(provider);
  if (!host) throw new Error(`There is no adapter for ${provider}.`);
  return host;
}
