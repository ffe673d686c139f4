import type { ScmType } from '#domain/projects/shape.ts';
import type { ScmProvider } from './hosts/host-shape.ts';

const PUBLIC: Readonly<Partial<Record<ScmType, { provider: ScmProvider; baseUrl: string }>>> = {
  SCM_TYPE_GITHUB: { provider: 'github', baseUrl: 'https://github.com' },
  SCM_TYPE_GITLAB: { provider: 'gitlab', baseUrl: 'https://gitlab.com' },
  SCM_TYPE_BITBUCKET: { provider: 'bitbucket', baseUrl: 'https://bitbucket.org' },
  SCM_TYPE_AZURE_DEVOPS: { provider: 'azure_devops', baseUrl: 'https://dev.azure.com' },
};

const SELF_MANAGED: Readonly<Partial<Record<ScmType, ScmProvider>>> = {
  SCM_TYPE_GITHUB_ENTERPRISE: 'github',
  SCM_TYPE_GITLAB_SELFMANAGED: 'gitlab',
  SCM_TYPE_BITBUCKET_DATACENTER: 'bitbucket_datacenter',
  SCM_TYPE_UNKNOWN: 'gitea',
};

/** The provider that a type means, and its address if there is only one. */
export function hostOfType(type: ScmType): { provider: ScmProvider; baseUrl?: string } | undefined {
  const provider = SELF_MANAGED[type];
  return PUBLIC[type] ?? (provider && { provider });
}

/** The type of a host. There is none for Gitea, so its type is unknown and its provider tells. */
export function typeOfHost({ provider, baseUrl }: { provider: ScmProvider; baseUrl: string }): ScmType {
  switch (provider) {
    case 'github':
      return baseUrl === PUBLIC.SCM_TYPE_GITHUB?.baseUrl ? 'SCM_TYPE_GITHUB' : 'SCM_TYPE_GITHUB_ENTERPRISE';
    case 'gitlab':
      return baseUrl === PUBLIC.SCM_TYPE_GITLAB?.baseUrl ? 'SCM_TYPE_GITLAB' : 'SCM_TYPE_GITLAB_SELFMANAGED';
    case 'bitbucket':
      return 'SCM_TYPE_BITBUCKET';
    case 'bitbucket_datacenter':
      return 'SCM_TYPE_BITBUCKET_DATACENTER';
    case 'azure_devops':
      return 'SCM_TYPE_AZURE_DEVOPS';
    case 'gitea':
      return 'SCM_TYPE_UNKNOWN';
  }
}

/** The address of a host as it is stored: without user, query, fragment and slashes at the end. */
export function baseUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Names a host in keys: repositories keep their ids within it. */
export const hostKey = ({ provider, baseUrl }: { provider: ScmProvider; baseUrl: string }): string =>
  `${provider} ${baseUrl}`;
