import type { HostNamespace, HostRepository } from './code-host.ts';
import { type HostExchange, type HostReply, isSuccess } from './host-call.ts';
import { encodePath } from './host-paths.ts';
import { type TokenScopes, withoutScopes } from './host-shape.ts';

/** Classic tokens have scopes, which every answer lists; fine-grained ones have permissions, which none does. */
export const hasClassicScopes = ({ headers }: HostReply): boolean => headers['x-oauth-scopes'] !== undefined;

export function scopesOfClassic({ headers }: HostReply): TokenScopes {
  const scopes = new Set((headers['x-oauth-scopes'] ?? '').split(',').map((scope) => scope.trim()));
  const canAll = scopes.has('repo');
  const canPublic = canAll || scopes.has('public_repo');
  return {
    readMetadata: true,
    readPullRequest: canPublic,
    writePullRequestComment: canPublic,
    readContents: canPublic,
    readMembers: ['read:org', 'write:org', 'admin:org'].some((scope) => scopes.has(scope)),
    manageWebhooks: ['admin:org_hook', 'admin:repo_hook', 'repo'].some((scope) => scopes.has(scope)),
    writeContents: canPublic,
    writePullRequest: canPublic,
  };
}

/** What a fine-grained token can read, found by reading. What it can write stays unknown, which counts as no. */
export function* fineGrainedScopes(
  { kind, path }: HostNamespace,
  repository: HostRepository | undefined,
): HostExchange<TokenScopes> {
  const can = function* (address: string): HostExchange<boolean> {
    const reply = yield { method: 'GET', path: address };
    // 409: the repository is empty.
    return isSuccess(reply) || reply.status === 409;
  };
  const isOrg = kind === 'org';
  const organization = `/orgs/${encodePath(path)}`;
  const at = repository && `/repos/${encodePath(repository.name)}`;
  return {
    ...withoutScopes,
    readMetadata: repository !== undefined,
    readPullRequest: at !== undefined && (yield* can(`${at}/pulls?per_page=1`)),
    readContents: at !== undefined && (yield* can(`${at}/commits?per_page=1`)),
    readMembers: isOrg && (yield* can(`${organization}/members?per_page=1`)),
    manageWebhooks: isOrg && (yield* can(`${organization}/hooks?per_page=1`)),
  };
}

/** The permissions of an installed app. */
export function scopesOfApp(permissions: Readonly<Record<string, string>>): TokenScopes {
  const reads = (name: string) => permissions[name] !== undefined;
  const writes = (name: string) => permissions[name] === 'write' || permissions[name] === 'admin';
  return {
    readMetadata: reads('metadata'),
    readPullRequest: reads('pull_requests'),
    writePullRequestComment: writes('pull_requests'),
    readContents: reads('contents'),
    readMembers: reads('members'),
    // The app has a webhook of its own.
    manageWebhooks: true,
    writeContents: writes('contents'),
    writePullRequest: writes('pull_requests'),
  };
}
