import { z } from 'zod';
import { markdownOf, type TicketText } from './ticket-text.ts';
import type { RemoteTicket, TicketDraft, Tracker, TrackerCheck, TrackerTicket } from './tracker.ts';
import { callIfThere, callTracker, readAnswer, type TrackerAccess } from './tracker-call.ts';
import { TrackerFailure } from './tracker-failure.ts';

const MAX_TITLE_LENGTH = 256;
/** The list of issues is as new as the issues, apart from short delays of replicas. */
const SETTLE_MS = 15_000;
const PAGES = 3;
const PER_PAGE = 100;

const User = z.object({ login: z.string() });
const Repository = z.object({ full_name: z.string(), has_issues: z.boolean() });
const Issue = z.object({
  number: z.int(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  body: z.string().nullish(),
});

/** Shown by no reader of the issue. */
export const markerOf = (intent: string): string => `<!-- parapet:${intent} -->`;

const REPOSITORY = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
const NAME = /^([\w.-]{1,100}\/[\w.-]{1,100})#([1-9]\d{0,9})$/;

const pathOf = (name: string): string => {
  const [, repository = '', number = ''] = NAME.exec(name) ?? [];
  return `/repos/${repository}/issues/${number}`;
};

export interface GithubSettings {
  siteUrl: string;
  trackerProject: string;
  /** The account that the token belongs to. */
  account: string;
}

const requireRepository = (name: string): string => {
  if (!REPOSITORY.test(name)) throw new TrackerFailure('refused', 'The project must be owner/repository.');
  return name;
};

/** Issues of GitHub. A project is a repository: `owner/name`. */
export class GithubTracker implements Tracker {
  readonly settleMs = SETTLE_MS;
  readonly lookups = 2;
  readonly #access: TrackerAccess;
  readonly #settings: GithubSettings;

  constructor(access: TrackerAccess, settings: GithubSettings) {
    this.#access = access;
    this.#settings = settings;
  }

  async check(): Promise<TrackerCheck> {
    const { login } = readAnswer(User, await callTracker(this.#access, { method: 'GET', path: '/user' }));
    const repository = requireRepository(this.#settings.trackerProject);
    const reply = await callTracker(this.#access, { method: 'GET', path: `/repos/${repository}` });
    if (!readAnswer(Repository, reply).has_issues)
      throw new TrackerFailure('refused', `Issues are disabled in ${repository}.`);
    return { account: login, fields: [{ id: 'labels', name: 'Labels', kind: 'texts', isRequired: false }] };
  }

  async create({ intent, title, text, fields, trackerProject }: TicketDraft): Promise<TrackerTicket> {
    const repository = requireRepository(trackerProject);
    const body = {
      title: [...title].slice(0, MAX_TITLE_LENGTH).join(''),
      body: `${markdownOf(text)}\n\n${markerOf(intent)}`,
      labels: (fields['labels'] ?? '').split(',').flatMap((label) => label.trim() || []),
    };
    const reply = await callTracker(this.#access, { method: 'POST', path: `/repos/${repository}/issues`, body });
    return this.#ticketOf(repository, readAnswer(Issue, reply, false));
  }

  async find(intent: string, repository: string): Promise<TrackerTicket | undefined> {
    for (let page = 1; page <= PAGES; page += 1) {
      const query = new URLSearchParams({
        ...{ creator: this.#settings.account, state: 'all', sort: 'created', direction: 'desc' },
        ...{ per_page: String(PER_PAGE), page: String(page) },
      });
      const path = `/repos/${repository}/issues?${query.toString()}`;
      const issues = readAnswer(z.array(Issue), await callTracker(this.#access, { method: 'GET', path }));
      const found = issues.find(({ body }) => body?.includes(markerOf(intent)));
      if (found) return this.#ticketOf(repository, found);
      if (issues.length < PER_PAGE) return undefined;
    }
    return undefined;
  }

  locate(url: URL): string | undefined {
    const [, repository = '', number = ''] = /^\/([^/]+\/[^/]+)\/issues\/(\d+)\/?$/.exec(url.pathname) ?? [];
    const name = `${repository}#${number}`;
    return url.origin === new URL(this.#settings.siteUrl).origin && NAME.test(name) ? name : undefined;
  }

  async fetch(name: string): Promise<RemoteTicket | undefined> {
    const reply = await callIfThere(this.#access, { method: 'GET', path: pathOf(name) });
    if (!reply) return undefined;
    const issue = readAnswer(Issue, reply);
    return { ...this.#ticketOf(name.split('#')[0] ?? '', issue), state: issue.state };
  }

  close(name: string): Promise<boolean> {
    return this.#setState(name, { state: 'closed', state_reason: 'completed' });
  }

  reopen(name: string): Promise<boolean> {
    return this.#setState(name, { state: 'open' });
  }

  async comment(name: string, text: TicketText): Promise<void> {
    const body = { body: markdownOf(text) };
    await callTracker(this.#access, { method: 'POST', path: `${pathOf(name)}/comments`, body });
  }

  async #setState(name: string, body: object): Promise<true> {
    await callTracker(this.#access, { method: 'PATCH', path: pathOf(name), body });
    return true;
  }

  /** The address is built here, because it is shown as a link. */
  #ticketOf(repository: string, { number }: z.output<typeof Issue>): TrackerTicket {
    const slug = `${repository}#${number}`;
    return { externalId: slug, slug, url: `${this.#settings.siteUrl}/${repository}/issues/${number}` };
  }
}
