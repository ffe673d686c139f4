import { type FakeTicket, FakeTracker, type TrackerAnswer, type TrackerRequest } from './fake-tracker.ts';

interface LinearIssue extends FakeTicket {
  id: string;
}

export const LINEAR_TEAM = '5f0a2c51-7f3e-4a55-9d0e-0b0f6c8b6f11';

const STATES = [
  { id: 'todo', type: 'unstarted', position: 1 },
  { id: 'done', type: 'completed', position: 2 },
];

/** The GraphQL interface of Linear, as far as it is used. */
export class FakeLinear extends FakeTracker {
  readonly tickets: LinearIssue[] = [];

  static async start(): Promise<FakeLinear> {
    const linear = new FakeLinear();
    await linear.listen();
    return linear;
  }

  isCreation({ body }: TrackerRequest): boolean {
    return String(body['query']).startsWith('mutation Create');
  }

  protected respond({ path, body, headers }: TrackerRequest): TrackerAnswer {
    const refuse = (message: string, code: string) => ({
      status: 200,
      body: { errors: [{ message, extensions: { code } }] },
    });
    if (path !== '/graphql') return { status: 404, body: {} };
    if (!headers.authorization) return refuse('Authentication required', 'AUTHENTICATION_ERROR');
    const variables = body['variables'] as Record<string, string> & { input?: Record<string, string> };
    const [, name = ''] = /^(?:query|mutation) (\w+)/.exec(String(body['query'])) ?? [];
    const data = (value: unknown) => ({ status: 200, body: { data: value } });
    if (name === 'Check')
      return variables['team'] === LINEAR_TEAM
        ? data({ viewer: { id: 'me' }, team: { id: LINEAR_TEAM } })
        : refuse('Entity not found: Team', 'INPUT_ERROR');
    if (name === 'Create') return this.#create(variables.input ?? {}, data, refuse);
    const wanted = variables['id'] ?? variables['issue'];
    const issue = this.tickets.find((one) => one.id === wanted || one.name === wanted);
    if (!issue) return refuse('Entity not found: Issue', 'INPUT_ERROR');
    if (name === 'Issue') return data({ issue: this.#shape(issue) });
    if (name === 'States') return data({ issue: { team: { states: { nodes: STATES } } } });
    if (name === 'Move') {
      issue.isOpen = variables['state'] === 'todo';
      return data({ issueUpdate: { success: true } });
    }
    issue.comments.push(variables['body'] ?? '');
    return data({ commentCreate: { success: true } });
  }

  #shape({ id, name, isOpen }: LinearIssue) {
    return {
      id,
      identifier: name,
      url: 'https://elsewhere.example',
      state: { type: isOpen ? 'unstarted' : 'completed' },
    };
  }

  #create(
    { id = '', title = '', description = '' }: Record<string, string>,
    data: (value: unknown) => TrackerAnswer,
    refuse: (message: string, code: string) => TrackerAnswer,
  ): TrackerAnswer {
    if (this.tickets.some((issue) => issue.id === id)) return refuse('id already exists', 'INPUT_ERROR');
    const issue = { id, name: `SHOP-${this.tickets.length + 1}`, title, text: description, isOpen: true, comments: [] };
    this.tickets.push(issue);
    return data({ issueCreate: { success: true, issue: this.#shape(issue) } });
  }
}
