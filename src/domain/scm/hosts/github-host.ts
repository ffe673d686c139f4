import { z } from 'zod';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { CodeHost, HookTarget, HostNamespace, HostRepository, RepositoryPage } from './code-host.ts';
import { fineGrainedScopes, hasClassicScopes, scopesOfClassic } from './github-scopes.ts';
import { type HostExchange, readReply } from './host-call.ts';
import { type HostEvent, isSignedBy, parseDelivery } from './host-delivery.ts';
import { HostFailure } from './host-failure.ts';
import { deleteHostHook, type HostHooks, putHostHook } from './host-hooks.ts';
import { encodePath, lineOf, nextPageOf, pageOf } from './host-paths.ts';

export const GITHUB = 'GitHub';
const PAGE_SIZE = 100;

export const GithubId = z.union([z.int(), z.string()]).transform(String);
const User = z.looseObject({ id: GithubId, login: z.string() });
const Repository = z.looseObject({
  id: GithubId,
  full_name: z.string(),
  html_url: z.string(),
  default_branch: z.string().nullish(),
  private: z.boolean(),
  archived: z.boolean().default(false),
  topics: z.array(z.string()).nullish(),
});
const InstalledRepositories = z.looseObject({ repositories: z.array(Repository) });
const Side = z.looseObject({
  sha: z.string(),
  ref: z.string(),
  repo: z.looseObject({ id: GithubId }).nullish(),
});
const PullRequest = z.looseObject({
  number: GithubId,
  title: z.string(),
  state: z.string(),
  merged: z.boolean().nullish(),
  draft: z.boolean().nullish(),
  head: Side,
  base: Side,
  user: z.looseObject({ login: z.string() }).nullish(),
  html_url: z.string(),
});
const Payload = z.looseObject({
  repository: z.looseObject({ id: GithubId }).nullish(),
  pull_request: z.looseObject({ number: GithubId }).nullish(),
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

const hooksOf = (target: HookTarget): HostHooks => ({
  ...{ hostName: GITHUB, query: `per_page=${PAGE_SIZE}`, update: 'PATCH' },
  path:
    target.kind === 'namespace'
      ? `/orgs/${encodePath(target.namespace.path)}/hooks`
      : `/repos/${encodePath(target.name)}/hooks`,
});

function* findNamespace(path: string): HostExchange<HostNamespace> {
  const reply = yield { method: 'GET', path: `/users/${encodePath(path)}` };
  if (reply.status === 404) throw new HostFailure('gone', `${GITHUB} has no organization or user named ${path}.`);
  const found = readReply(User.extend({ type: z.string().default('User') }), GITHUB, reply);
  return { path, kind: found.type === 'Organization' ? 'org' : 'user', id: found.id };
}

function* listPage(path: string, cursor: string): HostExchange<RepositoryPage> {
  const join = path.includes('?') ? '&' : '?';
  const reply = yield { method: 'GET', path: `${path}${join}per_page=${PAGE_SIZE}&page=${pageOf(cursor)}` };
  const found = Array.isArray(reply.value)
    ? readReply(z.array(Repository), GITHUB, reply)
    : readReply(InstalledRepositories, GITHUB, reply).repositories;
  return { repositories: found.map(repositoryOf), cursor: nextPageOf(reply.headers) };
}

function eventOf(event: string, bytes: Buffer): HostEvent {
  if (event.startsWith('installation')) return { kind: 'installation' };
  const payload = Payload.safeParse(parseDelivery(bytes)).data;
  const repository = payload?.repository?.id;
  if (repository === undefined) return { kind: 'ignored' };
  if (event === 'push') return { kind: 'push', repository };
  if (event === 'repository') return { kind: 'repository', repository };
  const number = payload?.pull_request?.number;
  if (event === 'pull_request' && number !== undefined) return { kind: 'pull_request', repository, number };
  return { kind: 'ignored' };
}

/** GitHub and GitHub Enterprise Server, with a token of a person. */
export const githubHost: CodeHost = {
  provider: 'github',
  name: GITHUB,
  hookEvents: ['push', 'pull_request', 'repository'],
  canHookNamespace: ({ kind }) => kind === 'org',
  apiBaseOf: (baseUrl) => (baseUrl === 'https://github.com' ? 'https://api.github.com' : `${baseUrl}/api/v3`),
  headersOf: (token) => ({
    authorization: new Secret(`Bearer ${reveal(token)}`),
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),

  *check(path) {
    const me = yield { method: 'GET', path: '/user' };
    const account = readReply(User, GITHUB, me);
    const namespace = yield* findNamespace(path);
    const { repositories } = yield* githubHost.listRepositories(namespace, '');
    const scopes = hasClassicScopes(me) ? scopesOfClassic(me) : yield* fineGrainedScopes(namespace, repositories[0]);
    const expiry = Date.parse(me.headers['github-authentication-token-expiration'] ?? '');
    return {
      account: { id: account.id, login: lineOf(account.login, 255) },
      namespace,
      scopes,
      ...(!Number.isNaN(expiry) && { tokenExpiresAt: new Date(expiry) }),
    };
  },

  *listRepositories({ kind, path }, cursor) {
    if (kind === 'org') return yield* listPage(`/orgs/${encodePath(path)}/repos?sort=created&direction=asc`, cursor);
    // Only the token of the person themselves lists private repositories, and it lists those of others too.
    const mine = yield { method: 'GET', path: '/user' };
    const isOwn = readReply(User, GITHUB, mine).login.toLowerCase() === path.toLowerCase();
    const list = isOwn ? '/user/repos?affiliation=owner&' : `/users/${encodePath(path)}/repos?type=owner&`;
    return yield* listPage(`${list}sort=created&direction=asc`, cursor);
  },

  *getRepository(id) {
    const reply = yield { method: 'GET', path: `/repositories/${encodeURIComponent(id)}` };
    return reply.status === 404 ? undefined : repositoryOf(readReply(Repository, GITHUB, reply));
  },

  *getPullRequest({ name }, number) {
    const reply = yield { method: 'GET', path: `/repos/${encodePath(name)}/pulls/${encodeURIComponent(number)}` };
    if (reply.status === 404) return undefined;
    const found = readReply(PullRequest, GITHUB, reply);
    return {
      number: found.number,
      title: lineOf(found.title),
      state: found.merged === true ? 'merged' : found.state === 'open' ? 'open' : 'closed',
      isDraft: found.draft === true,
      headSha: found.head.sha,
      headRef: found.head.ref,
      baseRef: found.base.ref,
      isFork: found.head.repo?.id !== found.base.repo?.id,
      author: lineOf(found.user?.login, 255),
      url: lineOf(found.html_url, 2048),
    };
  },

  putHook: (target, { url, secret, isTlsVerified }, hostHookId) => {
    const config = { url, content_type: 'json', secret: reveal(secret), insecure_ssl: isTlsVerified ? '0' : '1' };
    const content = { active: true, events: githubHost.hookEvents, config };
    return putHostHook(hooksOf(target), { url, content, whenNew: { name: 'web' } }, hostHookId);
  },

  deleteHook: (target, hostHookId) => deleteHostHook(hooksOf(target), hostHookId),

  readDelivery({ header, bytes }, secrets) {
    const [, signature = ''] = /^sha256=([\da-f]{64})$/.exec(header('x-hub-signature-256') ?? '') ?? [];
    const id = header('x-github-delivery');
    if (!isSignedBy(secrets, bytes, signature) || id === undefined) return undefined;
    return { id, event: eventOf(header('x-github-event') ?? '', bytes) };
  },
};

/** The same with the token of an installation: the installation decides what is listed. */
export const githubAppHost: CodeHost = {
  ...githubHost,
  listRepositories: (_, cursor) => listPage('/installation/repositories', cursor),
};
