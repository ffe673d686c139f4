import { z } from 'zod';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { CodeHost, HookTarget, HostNamespace, HostRepository } from './code-host.ts';
import { complaintOf, type HostExchange, type HostReply, isSuccess, readReply, refusalOf } from './host-call.ts';
import { type HostEvent, isSignedBy, parseDelivery } from './host-delivery.ts';
import { HostFailure } from './host-failure.ts';
import { deleteHostHook, type HostHooks, putHostHook } from './host-hooks.ts';
import { encodePath, lineOf, nextPageOf, pageOf } from './host-paths.ts';
import type { TokenScopes } from './host-shape.ts';

const NAME = 'Gitea';
/** The most that a server with default settings gives. */
const PAGE_SIZE = 50;

const Id = z.union([z.int(), z.string()]).transform(String);
const User = z.looseObject({ id: Id, login: z.string() });
const Organization = z.looseObject({ id: Id });
const Repository = z.looseObject({
  id: Id,
  full_name: z.string(),
  html_url: z.string(),
  default_branch: z.string().nullish(),
  private: z.boolean(),
  archived: z.boolean().default(false),
  topics: z.array(z.string()).nullish(),
});
const Side = z.looseObject({ sha: z.string(), ref: z.string(), repo_id: Id.nullish() });
const PullRequest = z.looseObject({
  number: Id,
  title: z.string(),
  state: z.string(),
  merged: z.boolean().default(false),
  draft: z.boolean().default(false),
  head: Side,
  base: Side,
  user: z.looseObject({ login: z.string() }).nullish(),
  html_url: z.string(),
});
const Payload = z.looseObject({
  repository: z.looseObject({ id: Id }).nullish(),
  number: Id.nullish(),
  pull_request: z.looseObject({ number: Id }).nullish(),
});

const repositoryOf = (one: z.output<typeof Repository>): HostRepository => ({
  id: one.id,
  name: lineOf(one.full_name),
  url: lineOf(one.html_url, 2048),
  defaultBranch: lineOf(one.default_branch),
  visibility: one.private ? 'private' : 'public',
  isArchived: one.archived,
  topics: (one.topics ?? []).map((topic) => lineOf(topic, 100)),
});

/**
 * The scopes of a token. Gitea names them only when it refuses a request, so the check reads something that needs a
 * scope of administrators: a token with all scopes is refused for another reason.
 */
function grantedScopes(reply: HostReply): (scope: string) => boolean {
  const [, listed] = /token scope=\[?([\w:,\- ]*)/.exec(complaintOf(reply.value)) ?? [];
  if (listed === undefined) return () => true;
  const scopes = new Set(listed.split(/[, ]+/));
  return (scope) => {
    const category = scope.replace(/^(read|write):/, '');
    return scopes.has('all') || scopes.has(scope) || (scope.startsWith('read:') && scopes.has(`write:${category}`));
  };
}

const scopesOf = (has: (scope: string) => boolean): TokenScopes => ({
  readMetadata: has('read:repository'),
  readPullRequest: has('read:repository'),
  writePullRequestComment: has('write:repository') && has('write:issue'),
  readContents: has('read:repository'),
  readMembers: has('read:organization'),
  manageWebhooks: has('write:repository') && has('write:organization'),
  writeContents: has('write:repository'),
  writePullRequest: has('write:repository'),
});

const hooksOf = (target: HookTarget): HostHooks => ({
  ...{ hostName: NAME, query: `limit=${PAGE_SIZE}`, update: 'PATCH' },
  path:
    target.kind === 'namespace'
      ? `/orgs/${encodePath(target.namespace.path)}/hooks`
      : `/repos/${encodePath(target.name)}/hooks`,
});

function* findNamespace(path: string): HostExchange<HostNamespace> {
  const name = encodePath(path);
  const organization = yield { method: 'GET', path: `/orgs/${name}` };
  if (isSuccess(organization)) return { path, kind: 'org', id: readReply(Organization, NAME, organization).id };
  if (organization.status !== 404) throw refusalOf(NAME, organization);
  const user = yield { method: 'GET', path: `/users/${name}` };
  if (user.status === 404)
    throw new HostFailure('gone', `${NAME} shows no organization or user named ${path} to this token.`);
  return { path, kind: 'user', id: readReply(User, NAME, user).id };
}

function eventOf(event: string, bytes: Buffer): HostEvent {
  const payload = Payload.safeParse(parseDelivery(bytes)).data;
  const repository = payload?.repository?.id;
  if (repository === undefined) return { kind: 'ignored' };
  if (event === 'push') return { kind: 'push', repository };
  if (event === 'repository') return { kind: 'repository', repository };
  const number = payload?.pull_request?.number ?? payload?.number;
  if (event.startsWith('pull_request') && number != null) return { kind: 'pull_request', repository, number };
  return { kind: 'ignored' };
}

/** Gitea and Forgejo. */
export const giteaHost: CodeHost = {
  provider: 'gitea',
  name: NAME,
  hookEvents: ['push', 'pull_request', 'pull_request_sync', 'repository'],
  canHookNamespace: ({ kind }) => kind === 'org',
  apiBaseOf: (baseUrl) => `${baseUrl}/api/v1`,
  headersOf: (token) => ({ authorization: new Secret(`token ${reveal(token)}`) }),

  *check(path) {
    const account = readReply(User, NAME, yield { method: 'GET', path: '/user' });
    const namespace = yield* findNamespace(path);
    const scopes = scopesOf(grantedScopes(yield { method: 'GET', path: '/admin/cron?limit=1' }));
    const listed = yield* giteaHost.listRepositories(namespace, '');
    return {
      account: { id: account.id, login: lineOf(account.login, 255) },
      namespace,
      scopes: { ...scopes, readMetadata: scopes.readMetadata || listed.repositories.length > 0 },
    };
  },

  *listRepositories({ kind, path }, cursor) {
    const list = kind === 'org' ? 'orgs' : 'users';
    const query = `limit=${PAGE_SIZE}&page=${pageOf(cursor)}`;
    const reply = yield { method: 'GET', path: `/${list}/${encodePath(path)}/repos?${query}` };
    const found = readReply(z.array(Repository), NAME, reply);
    return { repositories: found.map(repositoryOf), cursor: nextPageOf(reply.headers) };
  },

  *getRepository(id) {
    const reply = yield { method: 'GET', path: `/repositories/${encodeURIComponent(id)}` };
    return reply.status === 404 ? undefined : repositoryOf(readReply(Repository, NAME, reply));
  },

  *getPullRequest({ name }, number) {
    const reply = yield { method: 'GET', path: `/repos/${encodePath(name)}/pulls/${encodeURIComponent(number)}` };
    if (reply.status === 404) return undefined;
    const found = readReply(PullRequest, NAME, reply);
    return {
      number: found.number,
      title: lineOf(found.title),
      state: found.merged ? 'merged' : found.state === 'open' ? 'open' : 'closed',
      isDraft: found.draft,
      headSha: found.head.sha,
      headRef: found.head.ref,
      baseRef: found.base.ref,
      isFork: found.head.repo_id !== found.base.repo_id,
      author: lineOf(found.user?.login, 255),
      url: lineOf(found.html_url, 2048),
    };
  },

  putHook: (target, { url, secret }, hostHookId) => {
    const config = { url, content_type: 'json', secret: reveal(secret) };
    const content = { active: true, events: giteaHost.hookEvents, config };
    return putHostHook(hooksOf(target), { url, content, whenNew: { type: 'gitea' } }, hostHookId);
  },

  deleteHook: (target, hostHookId) => deleteHostHook(hooksOf(target), hostHookId),

  // The SHA-1 header that imitates GitHub's is not looked at.
  readDelivery({ header, bytes }, secrets) {
    const signature = header('x-gitea-signature') ?? header('x-forgejo-signature') ?? '';
    const id = header('x-gitea-delivery') ?? header('x-forgejo-delivery');
    if (!isSignedBy(secrets, bytes, signature.toLowerCase()) || id === undefined) return undefined;
    const event = header('x-gitea-event') ?? header('x-forgejo-event') ?? '';
    return { id, event: eventOf(event, bytes) };
  },
};
