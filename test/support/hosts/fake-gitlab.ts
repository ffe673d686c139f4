import { randomUUID } from 'node:crypto';
import {
  type FakeHook,
  FakeHost,
  type FakePull,
  type FakeRepository,
  type HostAnswer,
  type HostCall,
} from './fake-host.ts';

const NOT_FOUND: HostAnswer = { status: 404, body: { message: '404 Not Found' } };

/** A self-managed GitLab. Only paid editions have webhooks of groups. */
export class FakeGitlabHost extends FakeHost {
  readonly settings = { type: 'SCM_TYPE_GITLAB_SELFMANAGED', provider: 'gitlab' };
  scopes = ['api'];
  expiresAt: string | undefined;
  accessLevel = 50;
  hasGroupHooks = true;

  static start(): Promise<FakeGitlabHost> {
    return new FakeGitlabHost().listen();
  }

  deliver(hook: FakeHook, event: string, payload: object) {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-gitlab-event': event,
      'x-gitlab-event-uuid': randomUUID(),
      'x-gitlab-token': hook.secret,
    };
    return { headers, body: JSON.stringify(payload) };
  }

  protected respond(call: HostCall): HostAnswer {
    if (call.headers['private-token'] !== this.token) return { status: 401, body: { message: '401 Unauthorized' } };
    const path = call.path.replace(/^\/api\/v4/, '');
    if (path === '/user') return { status: 200, body: { id: 1, username: 'parapet' } };
    if (path === '/personal_access_tokens/self')
      return { status: 200, body: { scopes: this.scopes, expires_at: this.expiresAt ?? null } };
    if (path === `/groups/${this.organization}`) return { status: 200, body: { id: 7 } };
    if (path === '/users') return { status: 200, body: [] };
    if (path === '/groups/7/members/all/1') return { status: 200, body: { access_level: this.accessLevel } };
    if (path === '/groups/7/projects') {
      const { items, next } = this.page(this.ofOrganization(), call);
      return {
        status: 200,
        body: items.map(shapeOf),
        headers: { 'x-next-page': next === undefined ? '' : String(next) },
      };
    }
    const [, id] = /^\/projects\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined) {
      const found = this.byId(id);
      return found ? { status: 200, body: shapeOf(found) } : NOT_FOUND;
    }
    return this.#hooks(call, path) ?? this.#pull(path) ?? NOT_FOUND;
  }

  #pull(path: string): HostAnswer | undefined {
    const [, id, number] = /^\/projects\/(\d+)\/merge_requests\/(\d+)$/.exec(path) ?? [];
    const pull = this.pulls.find((one) => one.repository === Number(id) && one.number === Number(number));
    return pull && { status: 200, body: pullOf(pull) };
  }

  #hooks({ method, body }: HostCall, path: string): HostAnswer | undefined {
    const [, place = '', id] = /^(\/(?:groups|projects)\/\d+\/hooks)(?:\/(\d+))?$/.exec(path) ?? [];
    if (place === '') return undefined;
    if (place.startsWith('/groups') && !this.hasGroupHooks) return NOT_FOUND;
    const here = this.hooks.filter((hook) => hook.place === place);
    const given = { url: String(body['url'] ?? ''), secret: String(body['token'] ?? '') };
    if (id === undefined && method === 'GET') return { status: 200, body: here.map(hookOf) };
    if (id === undefined) {
      const hook = { id: this.nextId(), place, ...given };
      this.hooks.push(hook);
      return { status: 201, body: hookOf(hook) };
    }
    const hook = here.find((one) => one.id === Number(id));
    if (!hook) return NOT_FOUND;
    if (method === 'DELETE') {
      this.hooks.splice(this.hooks.indexOf(hook), 1);
      return { status: 204 };
    }
    Object.assign(hook, given);
    return { status: 200, body: hookOf(hook) };
  }
}

const hookOf = ({ id, url }: FakeHook) => ({ id, url });

const shapeOf = ({ id, name, branch, isPrivate, isArchived, topics }: FakeRepository) => ({
  id,
  path_with_namespace: name,
  web_url: `https://gitlab.example.com/${name}`,
  default_branch: branch,
  visibility: isPrivate ? 'private' : 'public',
  archived: isArchived,
  topics,
});

const pullOf = ({ repository, number, title, state, sha }: FakePull) => ({
  iid: number,
  title,
  state: state === 'open' ? 'opened' : state,
  draft: false,
  sha,
  source_branch: 'topic',
  target_branch: 'main',
  source_project_id: repository,
  target_project_id: repository,
  author: { username: 'jo' },
  web_url: `https://gitlab.example.com/-/merge_requests/${number}`,
});
