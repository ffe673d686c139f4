import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Program } from '../world/program.ts';
import { ADMIN, adminSettings, launchBrowser, signIn, type WatchedPage, watchedPage } from './browser.ts';

interface ProductOptions {
  /** Settings beside the data folder; without them there is an administrator from the start. */
  settings?: Record<string, string>;
  context?: BrowserContextOptions;
}

/** The product as people meet it: a server with a data folder of its own, and a browser with a watched page. */
export class RunningApp {
  readonly program: Program;
  readonly folder: string;
  readonly baseUrl: string;
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly #browser: Browser;
  #token = '';

  private constructor(parts: {
    program: Program;
    folder: string;
    baseUrl: string;
    browser: Browser;
    watched: WatchedPage;
  }) {
    this.program = parts.program;
    this.folder = parts.folder;
    this.baseUrl = parts.baseUrl;
    this.watched = parts.watched;
    this.page = parts.watched.page;
    this.#browser = parts.browser;
  }

  static async start({ settings, context }: ProductOptions = {}): Promise<RunningApp> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet browser '));
    const program = new Program(settings ? { PARAPET_DATA_DIR: folder, ...settings } : adminSettings(folder));
    try {
      const baseUrl = await program.ready();
      const browser = await launchBrowser();
      const watched = await watchedPage(browser, baseUrl, context);
      return new RunningApp({ program, folder, baseUrl, browser, watched });
    } catch (error) {
      // A program that goes on would keep the test from ending.
      await program.stop();
      throw error;
    }
  }

  /** Asks the API as the administrator, signing in when it is first needed, or as whose token it is. */
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

  /** Somebody who was invited, came, and is a member; the token is theirs. */
  async member({ name, email, password }: { name: string; email: string; password: string }): Promise<string> {
    const invited = await this.call('POST', '/api/onboarding/deployments/parapet/invite_members', { emails: [email] });
    const token = /\/invitation#t=([^\s]+)/.exec(String(invited['message']))?.[1];
    const accepted = await this.call('POST', '/api/auth/invitations/accept', { token, name, password }, '');
    const { id } = accepted['user'] as { id: string };
    await this.call('PATCH', `/api/agent/deployments/1/users/${id}/roles`, { newRole: 'ORG_ROLE_MEMBER' });
    return String(accepted['accessToken']);
  }

  /** Signs in through the page, and goes on to a path. */
  signIn = (path: string): Promise<void> => signIn(this.page, this.baseUrl, path);

  /** Hands in a report for a project. */
  import = (report: string, project = 'acme/web'): Promise<Record<string, unknown>> =>
    this.call('POST', `/api/v1/deployments/parapet/imports?project=${project}`, report);

  async go(path: string): Promise<void> {
    await this.page.goto(this.baseUrl + path);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.program.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
