import { hash } from 'node:crypto';
import { z } from 'zod';
import { reveal } from '#kernel/crypto/secret.ts';
import type { CodeHost, HookTarget, HostNamespace, HostRepository } from './code-host.ts';
import { type HostExchange, isSuccess, readReply, refusalOf } from './host-call.ts';
import { type HostEvent, isOneOf, parseDelivery } from './host-delivery.ts';
import { HostFailure } from './host-failure.ts';
import { deleteHostHook, type HostHooks, putHostHook } from './host-hooks.ts';
import { lineOf, pageOf } from './host-paths.ts';
import type { TokenScopes } from './host-shape.ts';

const NAME = 'GitLab';
const PAGE_SIZE = 100;
const DEVELOPER = 30;
const MAINTAINER = 40;
const OWNER = 50;

const Id = z.union([z.int(), z.string()]).transform(String);
const User = z.looseObject({ id: Id, username: z.string() });
const Token = z.looseObject({ scopes: z.array(z.string()), expires_at: z.string().nullish() });
const Group = z.looseObject({ id: Id });
const Member = z.looseObject({ access_level: z.int() });
const Project = z.looseObject({
  id: Id,
  path_with_namespace: z.string(),
  web_url: z.string(),
  default_branch: z.string().nullish(),
  visibility: z.string().nullish(),
  archived: z.boolean().default(false),
  topics: z.array(z.string()).nullish(),
});
const MergeRequest = z.looseObject({
  iid: Id,
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  sha: z.string().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: Id.nullish(),
  target_project_id: Id.nullish(),
  author: z.looseObject({ username: z.string() }).nullish(),
  web_url: z.string(),
});
const Payload = z.looseObject({
  event_name: z.string().nullish(),
  project_id: Id.nullish(),
  project: z.looseObject({ id: Id }).nullish(),
  object_attributes: z.looseObject({ iid: Id.nullish() }).nullish(),
});

const repositoryOf = (one: z.output<typeof Project>): HostRepository => ({
  id: one.id,
  name: lineOf(one.path_with_namespace),
  url: lineOf(one.web_url, 2048),
  defaultBranch: lineOf(one.default_branch),
  visibility: one.visibility === 'public' ? 'public' : one.visibility == null ? 'unknown' : 'private',
  isArchived: one.archived,
  topics: (one.topics ?? []).map((topic) => lineOf(topic, 100)),
});

const hooksOf = (target: HookTarget): HostHooks => ({
  ...{ hostName: NAME, query: `per_page=${PAGE_SIZE}`, update: 'PUT' },
  path:
    target.kind === 'namespace'
      ? `/groups/${encodeURIComponent(target.namespace.id)}/hooks`
      : `/projects/${encodeURIComponent(target.id)}/hooks`,
});

function* findNamespace(path: string): HostExchange<HostNamespace> {
  const group = yield { method: 'GET', path: `/groups/${encodeURIComponent(path)}?with_projects=false` };
  if (isSuccess(group)) return { path, kind: 'org', id: readReply(Group, NAME, group).id };
  if (group.status !== 404) throw refusalOf(NAME, group);
  const users = readReply(
    z.array(User),
    NAME,
    yield { method: 'GET', path: `/users?username=${encodeURIComponent(path)}` },
  );
  const [user] = users;
  if (!user) throw new HostFailure('gone', `${NAME} shows no group or user named ${path} to this token.`);
  return { path, kind: 'user', id: user.id };
}

/** What a token can do is limited by its scopes and by the role of its account. */
function scopesOf(scopes: ReadonlySet<string>, role: number): TokenScopes {
  const canWrite = scopes.has('api') && role >= DEVELOPER;
  const canRead = scopes.has('api') || scopes.has('read_api');
  return {
    readMetadata: canRead,
    readPullRequest: canRead,
    writePullRequestComment: canWrite,
    readContents: canRead || scopes.has('read_repository'),
    readMembers: canRead,
    manageWebhooks: scopes.has('api') && role >= MAINTAINER,
    writeContents: (canWrite || scopes.has('write_repository')) && role >= DEVELOPER,
    writePullRequest: canWrite,
  };
}

function* roleOf({ kind, id }: HostNamespace, account: string): HostExchange<number> {
  if (kind === 'user') return id === account ? OWNER : 0;
  const reply = yield { method: 'GET', path: `/groups/${encodeURIComponent(id)}/members/all/${account}` };
  return isSuccess(reply) ? readReply(Member, NAME, reply).access_level : 0;
}

function eventOf(bytes: Buffer): HostEvent {
  const payload = Payload.safeParse(parseDelivery(bytes)).data;
  const repository = payload?.project?.id ?? payload?.project_id;
  if (repository == null) return { kind: 'ignored' };
  const name = payload?.event_name ?? '';
  if (name === 'push') return { kind: 'push', repository };
  if (name.startsWith('project_')) return { kind: 'repository', repository };
  const number = payload?.object_attributes?.iid;
  return number == null ? { kind: 'ignored' } : { kind: 'pull_request', repository, number };
}

/** GitLab, of its makers and self-managed. */
export const gitlabHost: CodeHost = {
  provider: 'gitlab',
  name: NAME,
  hookEvents: ['push_events', 'merge_requests_events', 'project_events'],
  // Only paid editions have webhooks of groups; without them every project gets one.
  canHookNamespace: ({ kind }) => kind === 'org',
  apiBaseOf: (baseUrl) => `${baseUrl}/api/v4`,
  headersOf: (token) => ({ 'private-token': token }),

  *check(path) {
    const account = readReply(User, NAME, yield { method: 'GET', path: '/user' });
    const namespace = yield* findNamespace(path);
    const token = readReply(Token, NAME, yield { method: 'GET', path: '/personal_access_tokens/self' });
    const expiry = Date.parse(token.expires_at ?? '');
    return {
      account: { id: account.id, login: lineOf(account.username, 255) },
      namespace,
      scopes: scopesOf(new Set(token.scopes), yield* roleOf(namespace, account.id)),
      ...(!Number.isNaN(expiry) && { tokenExpiresAt: new Date(expiry) }),
    };
  },

  *listRepositories({ kind, id }, cursor) {
    const owner = encodeURIComponent(id);
    const list = kind === 'org' ? `/groups/${owner}/projects?include_subgroups=true&` : `/users/${owner}/projects?`;
    const query = `order_by=id&sort=asc&per_page=${PAGE_SIZE}&page=${pageOf(cursor)}`;
    const reply = yield { method: 'GET', path: `${list}${query}` };
    const found = readReply(z.array(Project), NAME, reply);
    return { repositories: found.map(repositoryOf), cursor: reply.headers['x-next-page']?.trim() ?? '' };
  },

  *getRepository(id) {
    const reply = yield { method: 'GET', path: `/projects/${encodeURIComponent(id)}` };
    return reply.status === 404 ? undefined : repositoryOf(readReply(Project, NAME, reply));
  },

  *getPullRequest({ id }, number) {
    const path = `/projects/${encodeURIComponent(id)}/merge_requests/${encodeURIComponent(number)}`;
    const reply = yield { method: 'GET', path };
    if (reply.status === 404) return undefined;
    const found = readReply(MergeRequest, NAME, reply);
    return {
      number: found.iid,
      title: lineOf(found.title),
      state: found.state === 'merged' ? 'merged' : found.state === 'closed' ? 'closed' : 'open',
      isDraft: found.draft === true,
      headSha: found.sha ?? '',
      headRef: found.source_branch,
      baseRef: found.target_branch,
      isFork: found.source_project_id !== found.target_project_id,
      author: lineOf(found.author?.username, 255),
      url: lineOf(found.web_url, 2048),
    };
  },

  putHook: (target, { url, secret, isTlsVerified }, hostHookId) => {
    const events = Object.fromEntries(gitlabHost.hookEvents.map((event) => [event, true]));
    const content = { url, token: reveal(secret), enable_ssl_verification: isTlsVerified, ...events };
    return putHostHook(hooksOf(target), { url, content }, hostHookId);
  },

  deleteHook: (target, hostHookId) => deleteHostHook(hooksOf(target), hostHookId),

  readDelivery({ header, bytes }, secrets) {
    if (!isOneOf(secrets, header('x-gitlab-token') ?? '')) return undefined;
    const given = header('webhook-id') ?? header('idempotency-key') ?? header('x-gitlab-event-uuid');
    // Old versions number nothing; a retry of theirs has the same content.
    return { id: given ?? hash('sha256', bytes), event: eventOf(bytes) };
  },
};
