import { z } from 'zod';
import { markerOf } from './github-issues.ts';
import { markdownOf, type TicketText } from './ticket-text.ts';
import type { RemoteTicket, TicketDraft, Tracker, TrackerCheck, TrackerTicket } from './tracker.ts';
import { callIfThere, callTracker, readAnswer, type TrackerAccess } from './tracker-call.ts';
import { TrackerFailure } from './tracker-failure.ts';

const MAX_TITLE_LENGTH = 255;
const SETTLE_MS = 15_000;
const PAGES = 3;
const PER_PAGE = 100;

const User = z.object({ id: z.int() });
const Project = z.object({ path_with_namespace: z.string(), issues_enabled: z.boolean().optional() });
const Issue = z.object({
  iid: z.int(),
  state: z.enum(['opened', 'closed']),
  description: z.string().nullish(),
});

const PROJECT = /^[\w.-]{1,255}(\/[\w.-]{1,255}){1,20}$/;
const NAME = /^([\w./-]+)#([1-9]\d{0,9})$/;

const projectPath = (project: string) => `/projects/${encodeURIComponent(project)}`;
const pathOf = (name: string): string => {
  const [, project = '', number = ''] = NAME.exec(name) ?? [];
  return `${projectPath(project)}/issues/${number}`;
};

export interface GitlabSettings {
  siteUrl: string;
  trackerProject: string;
  account: string;
}

const requireProject = (name: string): string => {
  if (!PROJECT.test(name)) throw new TrackerFailure('refused', 'The project must be group/project.');
  return name;
};

/** Issues of GitLab. A project is its path: `group/name`. */
export class GitlabTracker implements Tracker {
  readonly settleMs = SETTLE_MS;
  readonly lookups = 2;
  readonly #access: TrackerAccess;
  readonly #settings: GitlabSettings;

  constructor(access: TrackerAccess, settings: GitlabSettings) {
    this.#access = access;
    this.#settings = settings;
  }

  async check(): Promise<TrackerCheck> {
    const { id } = readAnswer(User, await callTracker(this.#access, { method: 'GET', path: '/user' }));
    const project = requireProject(this.#settings.trackerProject);
    const reply = await callTracker(this.#access, { method: 'GET', path: projectPath(project) });
    if (readAnswer(Project, reply).issues_enabled === false)
      throw new TrackerFailure('refused', `Issues are disabled in ${project}.`);
    return { account: String(id), fields: [{ id: 'labels', name: 'Labels', kind: 'texts', isRequired: false }] };
  }

  async create({ intent, title, text, fields, trackerProject }: TicketDraft): Promise<TrackerTicket> {
    const project = requireProject(trackerProject);
    const body = {
      title: [...title].slice(0, MAX_TITLE_LENGTH).join(''),
      description: `${markdownOf(text)}\n\n${markerOf(intent)}`,
      ...(fields['labels'] !== undefined && { labels: fields['labels'] }),
    };
    const reply = await callTracker(this.#access, { method: 'POST', path: `${projectPath(project)}/issues`, body });
    return this.#ticketOf(project, readAnswer(Issue, reply, false));
  }

  async find(intent: string, project: string): Promise<TrackerTicket | undefined> {
    for (let page = 1; page <= PAGES; page += 1) {
      const query = new URLSearchParams({
        ...{ author_id: this.#settings.account, scope: 'all', order_by: 'created_at', sort: 'desc' },
        ...{ per_page: String(PER_PAGE), page: String(page) },
      });
      const path = `${projectPath(project)}/issues?${query.toString()}`;
      const issues = readAnswer(z.array(Issue), await callTracker(this.#access, { method: 'GET', path }));
      const found = issues.find(({ description }) => description?.includes(markerOf(intent)));
      if (found) return this.#ticketOf(project, found);
      if (issues.length < PER_PAGE) return undefined;
    }
    return undefined;
  }

  locate(url: URL): string | undefined {
    const site = new URL(this.#settings.siteUrl);
    const root = site.pathname.replace(/\/$/, '');
    const rest = url.pathname.slice(root.length);
    const [, project = '', number = ''] = /^\/(.+?)(?:\/-)?\/(?:issues|work_items)\/(\d+)\/?$/.exec(rest) ?? [];
    const name = `${project}#${number}`;
    const isHere = url.origin === site.origin && url.pathname.startsWith(root);
    return isHere && PROJECT.test(project) && NAME.test(name) ? name : undefined;
  }

  async fetch(name: string): Promise<RemoteTicket | undefined> {
    const reply = await callIfThere(this.#access, { method: 'GET', path: pathOf(name) });
    if (!reply) return undefined;
    const issue = readAnswer(Issue, reply);
    const state = issue.state === 'closed' ? 'closed' : 'open';
    return { ...this.#ticketOf(name.split('#')[0] ?? '', issue), state };
  }

  close(name: string): Promise<boolean> {
    return this.#setState(name, 'close');
  }

  reopen(name: string): Promise<boolean> {
    return this.#setState(name, 'reopen');
  }

  async comment(name: string, text: TicketText): Promise<void> {
    const body = { body: markdownOf(text) };
    await callTracker(this.#access, { method: 'POST', path: `${pathOf(name)}/notes`, body });
  }

  async #setState(name: string, event: 'close' | 'reopen'): Promise<true> {
    await callTracker(this.#access, { method: 'PUT', path: pathOf(name), body: { state_event: event } });
    return true;
  }

  #ticketOf(project: string, { iid }: z.output<typeof Issue>): TrackerTicket {
    const slug = `${project}#${iid}`;
    return { externalId: slug, slug, url: `${this.#settings.siteUrl}/${project}/-/issues/${iid}` };
  }
}
