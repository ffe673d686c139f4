import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeDatabase, type TestDatabase, urlOf } from '../world/database.ts';
import { Program } from '../world/program.ts';
import {
  ADMIN,
  ADMIN_SETTINGS,
  acquireBrowser,
  releaseBrowser,
  signIn,
  type WatchedPage,
  watchedPage,
} from './browser.ts';

interface AppOptions {
  /** Settings besides the data folder and the database. By default there is an administrator from the start. */
  settings?: Record<string, string>;
  context?: BrowserContextOptions;
}

/** The running product: a server on its own database, and a browser with a watched page. */
export class RunningApp {
  readonly program: Program;
  /** The location of the data, as settings for other programs that work on it. */
  readonly place: Record<string, string>;
  readonly baseUrl: string;
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly #folder: string;
  readonly #database: TestDatabase;
  #token = '';

  private constructor(parts: {
    program: Program;
    place: Record<string, string>;
    folder: string;
    database: TestDatabase;
    baseUrl: string;
    watched: WatchedPage;
  }) {
    this.program = parts.program;
    this.place = parts.place;
    this.baseUrl = parts.baseUrl;
    this.watched = parts.watched;
    this.page = parts.watched.page;
    this.#folder = parts.folder;
    this.#database = parts.database;
  }

  static async start({ settings = ADMIN_SETTINGS, context }: AppOptions = {}): Promise<RunningApp> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet browser '));
    const database = await makeDatabase();
    const place = { PARAPET_DATA_DIR: folder, PARAPET_DATABASE_URL: urlOf(database.connection) };
    const program = new Program({ ...place, ...settings });
    try {
      const baseUrl = await program.ready();
      const watched = await watchedPage(await acquireBrowser(), baseUrl, context);
      return new RunningApp({ program, place, folder, database, baseUrl, watched });
    } catch (error) {
      // A running program would keep the test process alive.
      await program.stop();
      throw error;
    }
  }

  /** Calls the API as the administrator, who is signed in on first use, or with the given token. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<Record<string, unknown>> {
    if (token === undefined && this.#token === '')
      this.#token = String((await this.call('POST', '/api/auth/sessions', ADMIN, ''))['accessToken']);
    const bearer = token ?? this.#token;
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }) },
      ...(method === 'GET' ? {} : { body: text }),
    });
    assert.ok(answer.ok, `${method} ${path} answered ${answer.status} ${answer.ok ? '' : await answer.clone().text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Invites a person who accepts and becomes a member, and returns their token. */
  async member({ name, email, password }: { name: string; email: string; password: string }): Promise<string> {
    const invited = await this.call('POST', '/api/onboarding/deployments/parapet/invite_members', { emails: [email] });
    const token = /\/invitation#t=([^\s]+)/.exec(String(invited['message']))?.[1];
    const accepted = await this.call('POST', '/api/auth/invitations/accept', { token, name, password }, '');
    const { id } = accepted['user'] as { id: string };
    await this.call('PATCH', `/api/agent/deployments/1/users/${id}/roles`, { newRole: 'ORG_ROLE_MEMBER' });
    return String(accepted['accessToken']);
  }

  /** Signs in through the page and continues at a path. */
  signIn = (path: string): Promise<void> => signIn(this.page, this.baseUrl, path);

  /** Imports a report for a project. */
  import = (report: string, project = 'acme/web'): Promise<Record<string, unknown>> =>
    this.call('POST', `/api/v1/deployments/parapet/imports?project=${project}`, report);

  /** Another watched page with separate cookies. The caller closes its context. */
  newPage = async (): Promise<WatchedPage> => {
    const browser = this.page.context().browser() ?? assert.fail('the browser is closed');
    return watchedPage(browser, this.baseUrl);
  };

  /** Runs a statement on the database of the server, as its owner. */
  async query(text: string): Promise<void> {
    const client = new pg.Client(this.#database.connection);
    await client.connect();
    await client.query(text);
    await client.end();
  }

  async go(path: string): Promise<void> {
    await this.page.goto(this.baseUrl + path);
  }

  async stop(): Promise<void> {
    await this.page.context().close();
    releaseBrowser();
    await this.program.stop();
    await this.#database.drop();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
