import { z } from 'zod';
import { JiraField, jiraValue, trackerFieldsOf } from './jira-fields.ts';
import { adfOf, type TicketText, wikiTextOf } from './ticket-text.ts';
import type { RemoteTicket, TicketDraft, Tracker, TrackerCheck, TrackerFieldKind, TrackerTicket } from './tracker.ts';
import { callIfThere, callTracker, readAnswer, type TrackerAccess, type TrackerReply } from './tracker-call.ts';
import { TrackerFailure } from './tracker-failure.ts';

const MAX_TITLE_LENGTH = 255;
/** A new ticket is missing from searches for seconds to minutes. */
const SETTLE_MS = 120_000;

const Myself = z.object({ accountId: z.string().optional(), key: z.string().optional(), name: z.string().optional() });
/** Cloud calls the list `fields`, Server `values`. */
const CreateMetadata = z.object({ fields: z.array(JiraField).optional(), values: z.array(JiraField).optional() });
const Created = z.object({ id: z.string(), key: z.string() });
const Status = z.object({ statusCategory: z.object({ key: z.string() }) });
const Issue = z.object({ id: z.string(), key: z.string(), fields: z.object({ status: Status }) });
const Found = z.object({ issues: z.array(z.object({ id: z.string(), key: z.string() })) });
const Transitions = z.object({ transitions: z.array(z.object({ id: z.string(), to: Status })) });

export interface JiraSettings {
  /** Cloud has version 3 of the API and ADF, Server version 2 and wiki text. */
  isCloud: boolean;
  siteUrl: string;
  trackerProject: string;
  issueType: string;
  fieldKinds: Readonly<Record<string, TrackerFieldKind>>;
  /** The transition for tickets whose findings are fixed; empty for the first one into a status that means done. */
  fixedTransition: string;
}

const KEY = /^[A-Z][A-Z0-9_]{1,254}-[1-9]\d{0,18}$/;

const labelOf = (intent: string) => `parapet-${intent}`;

const isDone = ({ to }: { to: z.output<typeof Status> }) => to.statusCategory.key === 'done';

/** Jira Cloud, and Jira Server or Data Center. */
export class JiraTracker implements Tracker {
  readonly settleMs = SETTLE_MS;
  readonly lookups = 2;
  readonly #access: TrackerAccess;
  readonly #settings: JiraSettings;
  readonly #api: string;

  constructor(access: TrackerAccess, settings: JiraSettings) {
    this.#access = access;
    this.#settings = settings;
    this.#api = `/rest/api/${settings.isCloud ? 3 : 2}`;
  }

  async check(): Promise<TrackerCheck> {
    const { trackerProject, issueType } = this.#settings;
    const me = readAnswer(Myself, await this.#get(`${this.#api}/myself`));
    const place = `${encodeURIComponent(trackerProject)}/issuetypes/${encodeURIComponent(issueType)}`;
    const metadata = readAnswer(
      CreateMetadata,
      await this.#get(`${this.#api}/issue/createmeta/${place}?maxResults=200`),
    );
    return {
      account: me.accountId ?? me.key ?? me.name ?? '',
      fields: trackerFieldsOf(metadata.fields ?? metadata.values ?? []),
    };
  }

  async create(draft: TicketDraft): Promise<TrackerTicket> {
    const body = { fields: this.#fieldsOf(draft) };
    const reply = await callTracker(this.#access, { method: 'POST', path: `${this.#api}/issue`, body });
    return this.#ticketOf(readAnswer(Created, reply, false));
  }

  async find(intent: string): Promise<TrackerTicket | undefined> {
    const body = { jql: `labels = "${labelOf(intent)}"`, fields: ['status'], maxResults: 1 };
    const path = this.#settings.isCloud ? `${this.#api}/search/jql` : `${this.#api}/search`;
    const reply = await callTracker(this.#access, { method: 'POST', path, body, isRead: true });
    const [issue] = readAnswer(Found, reply).issues;
    return issue && this.#ticketOf(issue);
  }

  locate(url: URL): string | undefined {
    const site = new URL(this.#settings.siteUrl);
    const root = site.pathname.replace(/\/$/, '');
    const [, key = ''] = /^\/browse\/([^/]+)\/?$/.exec(url.pathname.slice(root.length)) ?? [];
    return url.origin === site.origin && url.pathname.startsWith(root) && KEY.test(key) ? key : undefined;
  }

  async fetch(name: string): Promise<RemoteTicket | undefined> {
    const path = `${this.#pathOf(name)}?fields=status`;
    const reply = await callIfThere(this.#access, { method: 'GET', path });
    if (!reply) return undefined;
    const issue = readAnswer(Issue, reply);
    const state = issue.fields.status.statusCategory.key === 'done' ? 'closed' : 'open';
    return { ...this.#ticketOf(issue), state };
  }

  async close(id: string): Promise<boolean> {
    const { fixedTransition } = this.#settings;
    const isWanted = fixedTransition === '' ? isDone : (one: { id: string }) => one.id === fixedTransition;
    return this.#move(id, (await this.#transitionsOf(id)).find(isWanted));
  }

  async reopen(id: string): Promise<boolean> {
    return this.#move(
      id,
      (await this.#transitionsOf(id)).find((transition) => !isDone(transition)),
    );
  }

  async comment(id: string, text: TicketText): Promise<void> {
    const body = { body: this.#bodyOf(text) };
    await callTracker(this.#access, { method: 'POST', path: `${this.#pathOf(id)}/comment`, body });
  }

  #get(path: string): Promise<TrackerReply> {
    return callTracker(this.#access, { method: 'GET', path });
  }

  #pathOf(name: string): string {
    return `${this.#api}/issue/${encodeURIComponent(name)}`;
  }

  #bodyOf(text: TicketText): unknown {
    return this.#settings.isCloud ? adfOf(text) : wikiTextOf(text);
  }

  #ticketOf({ id, key }: { id: string; key: string }): TrackerTicket {
    return { externalId: id, slug: key, url: `${this.#settings.siteUrl}/browse/${key}` };
  }

  #fieldsOf({ intent, title, text, fields, trackerProject }: TicketDraft): Record<string, unknown> {
    const { fieldKinds, issueType } = this.#settings;
    const mapped = Object.fromEntries(
      Object.entries(fields).map(([id, value]) => [id, jiraValue(fieldKinds[id] ?? 'text', value)]),
    );
    const labels = Array.isArray(mapped['labels']) ? (mapped['labels'] as string[]) : [];
    return {
      ...mapped,
      project: /^\d+$/.test(trackerProject) ? { id: trackerProject } : { key: trackerProject },
      issuetype: { id: issueType },
      summary: [...title].slice(0, MAX_TITLE_LENGTH).join(''),
      description: this.#bodyOf(text),
      labels: [...labels, labelOf(intent)],
    };
  }

  async #transitionsOf(id: string) {
    return readAnswer(Transitions, await this.#get(`${this.#pathOf(id)}/transitions`)).transitions;
  }

  /** A transition can vanish, or need a field, between asking and doing. */
  async #move(id: string, transition: { id: string } | undefined): Promise<boolean> {
    if (!transition) return false;
    try {
      const body = { transition: { id: transition.id } };
      await callTracker(this.#access, { method: 'POST', path: `${this.#pathOf(id)}/transitions`, body });
      return true;
    } catch (error) {
      if (error instanceof TrackerFailure && error.kind === 'refused') return false;
      throw error;
    }
  }
}
