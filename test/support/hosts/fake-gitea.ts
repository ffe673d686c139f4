import { createHmac, randomUUID } from 'node:crypto';
import {
  type FakeHook,
  FakeHost,
  type FakePull,
  type FakeRepository,
  type HostAnswer,
  type HostCall,
} from './fake-host.ts';

const NOT_FOUND: HostAnswer = { status: 404, body: { message: 'The target could not be found.' } };

/** Gitea: at most 50 items on a page, hooks of organizations and repositories, and scopes named only in refusals. */
export class FakeGitea extends FakeHost {
  readonly settings = { type: 'SCM_TYPE_UNKNOWN', provider: 'gitea' };
  /** Undefined means all scopes. */
  scopes: string | undefined;

  static start(): Promise<FakeGitea> {
    return new FakeGitea().listen();
  }

  /** The headers and bytes of a delivery. */
  deliver(hook: FakeHook, event: string, payload: object): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
    const headers = {
      'x-gitea-event': event,
      'x-gitea-delivery': randomUUID(),
      'x-gitea-signature': signature,
      'x-hub-signature-256': `sha256=${signature}`,
    };
    return { headers: { 'content-type': 'application/json', ...headers }, body };
  }

  protected respond(call: HostCall): HostAnswer {
    if (call.headers.authorization !== `token ${this.token}`)
      return { status: 401, body: { message: 'user does not exist [uid: 0, name: ]' } };
    const path = call.path.replace(/^\/api\/v1/, '');
    const owner = this.organization;
    if (path === '/user') return { status: 200, body: { id: 1, login: 'parapet' } };
    if (path === '/admin/cron') {
      const message =
        this.scopes === undefined
          ? 'user should be the site admin'
          : `token does not have at least one of required scope(s), required=[read:admin], token scope=${this.scopes}`;
      return { status: 403, body: { message } };
    }
    if (path === `/orgs/${owner}`) return { status: 200, body: { id: 7, name: owner } };
    if (path === '/users/jo') return { status: 200, body: { id: 9, login: 'jo' } };
    const [, kind, name] = /^\/(orgs|users)\/(\w+)\/repos$/.exec(path) ?? [];
    if (kind) {
      const own = this.repositories.filter((one) => one.name.startsWith(`${name}/`) && !this.skipped.has(one));
      const { items, next } = this.page(own, call);
      return { status: 200, body: items.map(shapeOf), headers: this.linkOf(call, next) };
    }
    const [, id] = /^\/repositories\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = this.byId(id);
      return found ? { status: 200, body: shapeOf(found) } : NOT_FOUND;
    }
    return this.#hooks(call, path) ?? this.#pull(path) ?? NOT_FOUND;
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
  html_url: `https://git.example.com/${name}`,
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
  head: { sha, ref: 'topic', repo_id: id },
  base: { sha: 'base', ref: 'main', repo_id: id },
  user: { login: 'jo' },
  html_url: `https://git.example.com/${name}/pulls/${number}`,
});
