import { createHmac, randomUUID } from 'node:crypto';
import {
  type FakeHook,
  FakeHost,
  type FakePull,
  type FakeRepository,
  type HostAnswer,
  type HostCall,
} from './fake-host.ts';

const NOT_FOUND: HostAnswer = { status: 404, body: { message: 'Not Found' } };

/** A GitHub Enterprise Server, with classic and fine-grained tokens, and apps. */
export class FakeGithubHost extends FakeHost {
  readonly settings = { type: 'SCM_TYPE_GITHUB_ENTERPRISE', provider: 'github' };
  /** Undefined for a fine-grained token. */
  scopes: string | undefined = 'repo, read:org, admin:org_hook';
  /** Paths that the token may not read. */
  forbidden: RegExp | undefined;
  /** The codes of manifests that were accepted by a person, with the key of the new app. */
  readonly manifestCodes = new Map<string, { pem: string; secret: string }>();
  installation: { id: number; permissions: Record<string, string>; suspended_at?: string } | undefined;
  appHookSecret = '';

  static start(): Promise<FakeGithubHost> {
    return new FakeGithubHost().listen();
  }

  deliver(hook: Pick<FakeHook, 'secret'>, event: string, payload: object) {
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    };
    return { headers, body };
  }

  protected respond(call: HostCall): HostAnswer {
    const path = call.path.replace(/^\/api\/v3/, '');
    const conversion = /^\/app-manifests\/([^/]+)\/conversions$/.exec(path);
    if (conversion) return this.#convert(conversion[1] ?? '');
    const credential = call.headers.authorization ?? '';
    if (path.startsWith('/app/') || path.endsWith('/installation')) return this.#asApp(call, path, credential);
    if (credential !== `Bearer ${this.token}` && credential !== 'Bearer ghs_installation')
      return { status: 401, body: { message: 'Bad credentials' } };
    if (this.forbidden?.test(path))
      return { status: 403, body: { message: 'Resource not accessible by personal access token' } };
    const owner = this.organization;
    if (path === '/user')
      return {
        ...{ status: 200, body: { id: 1, login: 'parapet' } },
        headers: this.scopes === undefined ? {} : { 'x-oauth-scopes': this.scopes },
      };
    if (path === `/users/${owner}`) return { status: 200, body: { id: 7, login: owner, type: 'Organization' } };
    if (path === `/orgs/${owner}/repos`) {
      const { items, next } = this.page(this.ofOrganization(), call);
      return { status: 200, body: items.map(shapeOf), headers: this.linkOf(call, next) };
    }
    if (path === '/installation/repositories') {
      const { items, next } = this.page(this.ofOrganization(), call);
      return { status: 200, body: { repositories: items.map(shapeOf) }, headers: this.linkOf(call, next) };
    }
    if (path === `/orgs/${owner}/members`) return { status: 200, body: [] };
    const [, id] = /^\/repositories\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = this.byId(id);
      return found ? { status: 200, body: shapeOf(found) } : NOT_FOUND;
    }
    if (/^\/repos\/.+\/(pulls|commits)$/.test(path)) return { status: 200, body: [] };
    return this.#hooks(call, path) ?? this.#pull(path) ?? NOT_FOUND;
  }

  #convert(code: string): HostAnswer {
    const made = this.manifestCodes.get(code);
    if (!made) return NOT_FOUND;
    this.manifestCodes.delete(code);
    this.appHookSecret = made.secret;
    return {
      status: 201,
      body: {
        ...{ id: 4711, slug: 'parapet-acme', name: 'Parapet acme', client_id: 'Iv1.abc', client_secret: 'x' },
        ...{ webhook_secret: made.secret, pem: made.pem },
      },
    };
  }

  #asApp({ method, body }: HostCall, path: string, credential: string): HostAnswer {
    const [header = ''] = credential.replace(/^Bearer /, '').split('.');
    if (!Buffer.from(header, 'base64url').toString().includes('RS256'))
      return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
    if (path === '/app/hook/config' && method === 'PATCH') {
      this.appHookSecret = String(body['secret']);
      return { status: 200, body: {} };
    }
    if (!this.installation) return NOT_FOUND;
    if (path === `/orgs/${this.organization}/installation`)
      return { status: 200, body: { ...this.installation, account: { id: 7 }, target_type: 'Organization' } };
    if (path === `/app/installations/${this.installation.id}/access_tokens` && method === 'POST')
      return { status: 201, body: { token: 'ghs_installation', expires_at: '2999-01-01T00:00:00Z' } };
    return NOT_FOUND;
  }

  #pull(path: string): HostAnswer | undefined {
    const [, name, number] = /^\/repos\/(.+)\/pulls\/(\d+)$/.exec(path) ?? [];
    const repository = this.repositories.find((one) => one.name === name);
    const pull = this.pulls.find((one) => one.repository === repository?.id && one.number === Number(number));
    return repository && pull ? { status: 200, body: pullOf(pull, repository) } : undefined;
  }

  #hooks({ method, body }: HostCall, path: string): HostAnswer | undefined {
    const [, place = '', id] = /^(\/(?:orgs|repos)\/.+\/hooks)(?:\/(\d+))?$/.exec(path) ?? [];
    if (place === '') return undefined;
    const here = this.hooks.filter((hook) => hook.place === place);
    const config = (body['config'] ?? {}) as { url?: string; secret?: string };
    if (id === undefined && method === 'GET') return { status: 200, body: here.map(hookOf) };
    if (id === undefined) {
      const hook = { id: this.nextId(), place, url: config.url ?? '', secret: config.secret ?? '' };
      this.hooks.push(hook);
      return { status: 201, body: hookOf(hook) };
    }
    const hook = here.find((one) => one.id === Number(id));
    if (!hook) return NOT_FOUND;
    if (method === 'DELETE') {
      this.hooks.splice(this.hooks.indexOf(hook), 1);
      return { status: 204 };
    }
    Object.assign(hook, { url: config.url ?? hook.url, secret: config.secret ?? hook.secret });
    return { status: 200, body: hookOf(hook) };
  }
}

const hookOf = ({ id, url }: FakeHook) => ({ id, config: { url, content_type: 'json' }, active: true });

const shapeOf = ({ id, name, branch, isPrivate, isArchived, topics }: FakeRepository) => ({
  id,
  full_name: name,
  html_url: `https://github.example.com/${name}`,
  default_branch: branch,
  private: isPrivate,
  archived: isArchived,
  topics,
});

const pullOf = ({ number, title, state, sha }: FakePull, { id, name }: FakeRepository) => ({
  number,
  title,
  state: state === 'open' ? 'open' : 'closed',
  merged: state === 'merged',
  draft: false,
  head: { sha, ref: 'topic', repo: { id } },
  base: { sha: 'base', ref: 'main', repo: { id } },
  user: { login: 'jo' },
  html_url: `https://github.example.com/${name}/pull/${number}`,
});
