import { z } from 'zod';
import { markdownOf, type TicketText } from './ticket-text.ts';
import type { RemoteTicket, TicketDraft, Tracker, TrackerCheck, TrackerTicket } from './tracker.ts';
import { callTracker, readAnswer, type TrackerAccess } from './tracker-call.ts';
import { TrackerFailure } from './tracker-failure.ts';

const MAX_TITLE_LENGTH = 255;
/** The id of the issue is ours, so that a look-up is exact at once; this lets a slow creation end. */
const SETTLE_MS = 30_000;

const Errors = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string().optional(), type: z.string().optional() }).optional(),
      }),
    )
    .optional(),
});
const Issue = z.object({
  id: z.string(),
  identifier: z.string(),
  url: z.string(),
  state: z.object({ type: z.string() }),
});
const Data = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ data: z.object(shape) });
const States = z.array(z.object({ id: z.string(), type: z.string(), position: z.number() }));

const ISSUE_FIELDS = 'id identifier url state { type }';
const CLOSED_TYPES = ['completed', 'canceled', 'duplicate'];
const KEY = /^[A-Z][A-Z0-9]{0,9}-[1-9]\d{0,9}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface LinearSettings {
  /** With the workspace: `https://linear.app/acme`. */
  siteUrl: string;
  /** The UUID of a team. */
  trackerProject: string;
}

function failureOf(errors: NonNullable<z.output<typeof Errors>['errors']>, isRead: boolean): TrackerFailure {
  const [first] = errors;
  const code = `${first?.extensions?.code ?? ''} ${first?.extensions?.type ?? ''}`.toLowerCase();
  const message = `The tracker answered: ${(first?.message ?? '').slice(0, 500)}`;
  if (code.includes('ratelimited')) return new TrackerFailure('limited', message, { retryAfterMs: 60_000 });
  if (code.includes('authentication')) return new TrackerFailure('revoked', message);
  if (code.includes('not found') || /not found/i.test(message)) return new TrackerFailure('gone', message);
  if (code.includes('internal')) return new TrackerFailure(isRead ? 'unreachable' : 'unclear', message);
  return new TrackerFailure('refused', message);
}

/** Issues of Linear. A project is a team. */
export class LinearTracker implements Tracker {
  readonly settleMs = SETTLE_MS;
  readonly lookups = 1;
  readonly #access: TrackerAccess;
  readonly #site: URL;
  readonly #team: string;

  constructor(access: TrackerAccess, { siteUrl, trackerProject }: LinearSettings) {
    this.#access = access;
    this.#site = new URL(siteUrl);
    this.#team = trackerProject;
  }

  async check(): Promise<TrackerCheck> {
    if (!UUID.test(this.#team)) throw new TrackerFailure('refused', 'The project must be the UUID of a team.');
    const query = 'query Check($team: String!) { viewer { id } team(id: $team) { id } }';
    const shape = { viewer: z.object({ id: z.string() }), team: z.object({ id: z.string() }) };
    const { viewer } = await this.#ask(shape, query, { team: this.#team });
    return { account: viewer.id, fields: [] };
  }

  async create({ intent, title, text, trackerProject }: TicketDraft): Promise<TrackerTicket> {
    const mutation = `mutation Create($input: IssueCreateInput!) {
      issueCreate(input: $input) { success issue { ${ISSUE_FIELDS} } } }`;
    const input = {
      ...{ id: intent, teamId: trackerProject, description: markdownOf(text) },
      title: [...title].slice(0, MAX_TITLE_LENGTH).join(''),
    };
    const shape = { issueCreate: z.object({ success: z.boolean(), issue: Issue.nullish() }) };
    const { issue } = (await this.#ask(shape, mutation, { input })).issueCreate;
    if (!issue) throw new TrackerFailure('unclear', 'The tracker answered without an issue.');
    return this.#ticketOf(issue);
  }

  async find(intent: string): Promise<TrackerTicket | undefined> {
    const issue = await this.#issue(intent);
    return issue && this.#ticketOf(issue);
  }

  locate(url: URL): string | undefined {
    const { origin, pathname } = this.#site;
    const [, key = ''] = /^\/issue\/([^/]+)(?:\/[^/]*)?\/?$/.exec(url.pathname.slice(pathname.length)) ?? [];
    return url.origin === origin && url.pathname.startsWith(pathname) && KEY.test(key) ? key : undefined;
  }

  async fetch(name: string): Promise<RemoteTicket | undefined> {
    const issue = await this.#issue(name);
    if (!issue) return undefined;
    const state = CLOSED_TYPES.includes(issue.state.type) ? 'closed' : 'open';
    return { ...this.#ticketOf(issue), state };
  }

  close(id: string): Promise<boolean> {
    return this.#setState(id, ['completed']);
  }

  reopen(id: string): Promise<boolean> {
    return this.#setState(id, ['unstarted', 'backlog', 'started']);
  }

  async comment(id: string, text: TicketText): Promise<void> {
    const mutation = `mutation Comment($issue: String!, $body: String!) {
      commentCreate(input: { issueId: $issue, body: $body }) { success } }`;
    const shape = { commentCreate: z.object({ success: z.boolean() }) };
    await this.#ask(shape, mutation, { issue: id, body: markdownOf(text) });
  }

  async #ask<Shape extends z.ZodRawShape>(
    shape: Shape,
    query: string,
    variables: Record<string, unknown>,
  ): Promise<z.output<z.ZodObject<Shape>>> {
    const isRead = query.startsWith('query');
    const call = { method: 'POST', path: '/graphql', body: { query, variables }, isRead } as const;
    const reply = await callTracker(this.#access, call);
    const { errors } = readAnswer(Errors, reply, isRead);
    if (errors && errors.length > 0) throw failureOf(errors, isRead);
    return readAnswer(Data(shape), reply, isRead).data as z.output<z.ZodObject<Shape>>;
  }

  #ticketOf({ id, identifier }: z.output<typeof Issue>): TrackerTicket {
    return { externalId: id, slug: identifier, url: `${this.#site.href}/issue/${identifier}` };
  }

  async #issue(name: string): Promise<z.output<typeof Issue> | undefined> {
    try {
      const query = `query Issue($id: String!) { issue(id: $id) { ${ISSUE_FIELDS} } }`;
      return (await this.#ask({ issue: Issue.nullish() }, query, { id: name })).issue ?? undefined;
    } catch (error) {
      if (error instanceof TrackerFailure && error.kind === 'gone') return undefined;
      throw error;
    }
  }

  async #setState(id: string, types: readonly string[]): Promise<boolean> {
    const query = 'query States($id: String!) { issue(id: $id) { team { states { nodes { id type position } } } } }';
    const shape = { issue: z.object({ team: z.object({ states: z.object({ nodes: States }) }) }) };
    const { nodes } = (await this.#ask(shape, query, { id })).issue.team.states;
    const offered = nodes.filter(({ type }) => types.includes(type));
    const [state] = offered.sort((left, right) => left.position - right.position);
    if (!state) return false;
    const mutation =
      'mutation Move($id: String!, $state: String!) { issueUpdate(id: $id, input: { stateId: $state }) { success } }';
    const moved = await this.#ask({ issueUpdate: z.object({ success: z.boolean() }) }, mutation, {
      id,
      state: state.id,
    });
    return moved.issueUpdate.success;
  }
}
