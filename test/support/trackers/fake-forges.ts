import { type FakeTicket, FakeTracker, type TrackerAnswer, type TrackerRequest } from './fake-tracker.ts';

interface ForgeIssue extends FakeTicket {
  number: number;
  labels: unknown;
}

abstract class FakeForge extends FakeTracker {
  readonly tickets: ForgeIssue[] = [];

  protected open(project: string, title: unknown, text: unknown, labels: unknown): ForgeIssue {
    const number = this.tickets.length + 1;
    const issue = {
      ...{ name: `${project}#${number}`, number, title: String(title), text: String(text), labels },
      ...{ isOpen: true, comments: [] },
    };
    this.tickets.push(issue);
    return issue;
  }

  protected byNumber(number: string): ForgeIssue | undefined {
    return this.tickets.find((issue) => issue.number === Number(number));
  }

  protected page<Item>(items: readonly Item[], { query }: TrackerRequest): Item[] {
    const size = Number(query.get('per_page'));
    const start = (Number(query.get('page')) - 1) * size;
    return items.toReversed().slice(start, start + size);
  }
}

/** Issues of a GitHub Enterprise Server. */
export class FakeGithub extends FakeForge {
  static async start(): Promise<FakeGithub> {
    const github = new FakeGithub();
    await github.listen();
    return github;
  }

  isCreation({ method, path }: TrackerRequest): boolean {
    return method === 'POST' && path.endsWith('/issues');
  }

  protected respond(request: TrackerRequest): TrackerAnswer {
    const { method, path, body, headers } = request;
    if (!/^Bearer /.test(headers.authorization ?? '')) return { status: 401, body: { message: 'Bad credentials' } };
    const rest = path.replace(/^\/api\/v3/, '');
    if (rest === '/user') return { status: 200, body: { login: 'parapet' } };
    if (rest === '/repos/acme/shop') return { status: 200, body: { full_name: 'acme/shop', has_issues: true } };
    const [, number = '', part = ''] = /^\/repos\/acme\/shop\/issues(?:\/(\d+)(\/comments)?)?$/.exec(rest) ?? [];
    if (!rest.startsWith('/repos/acme/shop/issues')) return { status: 404, body: { message: 'Not Found' } };
    const shape = (issue: ForgeIssue) => ({
      ...{ number: issue.number, html_url: 'https://elsewhere.example', body: issue.text },
      state: issue.isOpen ? 'open' : 'closed',
    });
    if (number === '') {
      if (method === 'POST')
        return { status: 201, body: shape(this.open('acme/shop', body['title'], body['body'], body['labels'])) };
      if (request.query.get('creator') !== 'parapet') return { status: 200, body: [] };
      return { status: 200, body: this.page(this.tickets, request).map(shape) };
    }
    const issue = this.byNumber(number);
    if (!issue) return { status: 404, body: { message: 'Not Found' } };
    if (part !== '') issue.comments.push(String(body['body']));
    else if (method === 'PATCH') issue.isOpen = body['state'] === 'open';
    return { status: part === '' ? 200 : 201, body: shape(issue) };
  }
}

/** Issues of a GitLab server. */
export class FakeGitlab extends FakeForge {
  static async start(): Promise<FakeGitlab> {
    const gitlab = new FakeGitlab();
    await gitlab.listen();
    return gitlab;
  }

  isCreation({ method, path }: TrackerRequest): boolean {
    return method === 'POST' && path.endsWith('/issues');
  }

  protected respond(request: TrackerRequest): TrackerAnswer {
    const { method, path, body, headers } = request;
    if (headers['private-token'] === undefined) return { status: 401, body: { message: '401 Unauthorized' } };
    const rest = path.replace(/^\/api\/v4/, '');
    if (rest === '/user') return { status: 200, body: { id: 7 } };
    if (rest === '/projects/acme/shop') return { status: 200, body: { path_with_namespace: 'acme/shop' } };
    const [isIssue, number = '', part = ''] = /^\/projects\/acme\/shop\/issues(?:\/(\d+)(\/notes)?)?$/.exec(rest) ?? [];
    if (isIssue === undefined) return { status: 404, body: { message: '404 Project Not Found' } };
    const shape = (issue: ForgeIssue) => ({
      ...{ iid: issue.number, description: issue.text },
      state: issue.isOpen ? 'opened' : 'closed',
    });
    if (number === '') {
      if (method === 'POST')
        return { status: 201, body: shape(this.open('acme/shop', body['title'], body['description'], body['labels'])) };
      if (request.query.get('author_id') !== '7') return { status: 200, body: [] };
      return { status: 200, body: this.page(this.tickets, request).map(shape) };
    }
    const issue = this.byNumber(number);
    if (!issue) return { status: 404, body: { message: '404 Not found' } };
    if (part !== '') issue.comments.push(String(body['body']));
    else if (method === 'PUT') issue.isOpen = body['state_event'] === 'reopen';
    return { status: part === '' ? 200 : 201, body: shape(issue) };
  }
}
