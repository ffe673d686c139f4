import { type FakeTicket, FakeTracker, type TrackerAnswer, type TrackerRequest } from './fake-tracker.ts';

interface JiraIssue extends FakeTicket {
  id: string;
  labels: string[];
  fields: Record<string, unknown>;
  /** Searches do not see it yet. */
  isIndexed: boolean;
}

interface FakeField {
  fieldId: string;
  name: string;
  required: boolean;
  schema: { type: string; items?: string };
  allowedValues?: { value: string }[];
}

const LABELS: FakeField = {
  ...{ fieldId: 'labels', name: 'Labels', required: false },
  schema: { type: 'array', items: 'string' },
};

const textOf = (document: unknown): string => {
  if (typeof document === 'string') return document;
  const { text = '', content = [] } = document as { text?: string; content?: unknown[] };
  return text + content.map(textOf).join('\n');
};

/** Jira Cloud (version 3 of the API) and Jira Server (version 2). */
export class FakeJira extends FakeTracker {
  readonly tickets: JiraIssue[] = [];
  /** Fields of new tickets besides those that every ticket has. */
  fields: FakeField[] = [LABELS];
  /** New tickets are not found by searches until they are indexed. */
  isSearchSlow = false;
  /** The workflow offers no transitions. */
  isWorkflowFixed = false;

  static async start(): Promise<FakeJira> {
    const jira = new FakeJira();
    await jira.listen();
    return jira;
  }

  index(): void {
    for (const ticket of this.tickets) ticket.isIndexed = true;
  }

  isCreation({ method, path }: TrackerRequest): boolean {
    return method === 'POST' && /^\/rest\/api\/[23]\/issue$/.test(path);
  }

  protected respond(request: TrackerRequest): TrackerAnswer {
    const { method, path, body } = request;
    const [, version = '', rest = ''] = /^\/rest\/api\/([23])(\/.*)$/.exec(path) ?? [];
    const expected = version === '3' ? /^Basic / : /^Bearer /;
    if (!expected.test(request.headers.authorization ?? '')) return { status: 401, body: {} };
    if (rest === '/myself') return { status: 200, body: version === '3' ? { accountId: 'a1' } : { key: 'parapet' } };
    if (rest === '/issue' && method === 'POST') return this.#create(body, version);
    if (rest === '/search/jql' || rest === '/search') return this.#search(String(body['jql']), version, rest);
    const [, project = '', type = ''] = /^\/issue\/createmeta\/([^/]+)\/issuetypes\/([^/]+)$/.exec(rest) ?? [];
    if (project !== '') return this.#metadata(project, type, version);
    return this.#ofIssue(rest, request);
  }

  #metadata(project: string, type: string, version: string): TrackerAnswer {
    if (project !== 'SHOP' || type !== '10001') return { status: 404, body: { errorMessages: ['No project.'] } };
    return { status: 200, body: version === '3' ? { fields: this.fields } : { values: this.fields } };
  }

  #create({ fields = {} }: { fields?: unknown }, version: string): TrackerAnswer {
    const given = fields as Record<string, unknown> & { project?: { key?: string }; labels?: string[] };
    const missing = this.fields.find(({ required, fieldId }) => required && given[fieldId] === undefined);
    if (missing) return { status: 400, body: { errorMessages: [], errors: { [missing.fieldId]: 'is required.' } } };
    if (given.project?.key !== 'SHOP') return { status: 400, body: { errors: { project: 'is unknown.' } } };
    if ((typeof given['description'] === 'string') !== (version === '2'))
      return { status: 400, body: { errors: { description: 'has the wrong format.' } } };
    const number = this.tickets.length + 1;
    const ticket = {
      ...{ id: String(10_000 + number), name: `SHOP-${number}`, title: String(given['summary']), isOpen: true },
      ...{ text: textOf(given['description']), labels: given.labels ?? [], fields: given, comments: [] },
      isIndexed: !this.isSearchSlow,
    };
    this.tickets.push(ticket);
    return { status: 201, body: { id: ticket.id, key: ticket.name, self: 'x' } };
  }

  #search(jql: string, version: string, rest: string): TrackerAnswer {
    if ((rest === '/search/jql') !== (version === '3')) return { status: 410, body: {} };
    const [, label = ''] = /^labels = "([^"]+)"$/.exec(jql) ?? [];
    const found = this.tickets.filter(({ labels, isIndexed }) => isIndexed && labels.includes(label));
    return { status: 200, body: { issues: found.map(({ id, name }) => ({ id, key: name })) } };
  }

  #ofIssue(rest: string, { method, body }: TrackerRequest): TrackerAnswer {
    const [, key = '', part = ''] = /^\/issue\/([^/]+)(?:\/(\w+))?$/.exec(rest) ?? [];
    const ticket = this.tickets.find(({ id, name }) => id === key || name === key);
    if (!ticket) return { status: 404, body: { errorMessages: ['Issue does not exist.'] } };
    const category = (isOpen: boolean) => ({ statusCategory: { key: isOpen ? 'new' : 'done' } });
    if (part === '')
      return { status: 200, body: { id: ticket.id, key: ticket.name, fields: { status: category(ticket.isOpen) } } };
    if (part === 'comment') {
      ticket.comments.push(textOf(body['body']));
      return { status: 201, body: {} };
    }
    if (method === 'GET') {
      const offered = this.isWorkflowFixed
        ? []
        : [
            { id: '31', isOpen: false },
            { id: '11', isOpen: true },
          ];
      const shown = offered.filter(({ isOpen }) => isOpen !== ticket.isOpen);
      return { status: 200, body: { transitions: shown.map(({ id, isOpen }) => ({ id, to: category(isOpen) })) } };
    }
    ticket.isOpen = (body['transition'] as { id: string }).id === '11';
    return { status: 204 };
  }
}
