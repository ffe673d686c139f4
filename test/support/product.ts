import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ADMIN, adminSettings, launch, signIn, type Watched, watchedPage } from './browser.ts';
import { Program } from './program.ts';

interface ProductOptions {
  /** Settings beside the data folder; without them there is an administrator from the start. */
  settings?: Record<string, string>;
  context?: BrowserContextOptions;
}

/** The product as people meet it: a server with a data folder of its own, and a browser with a watched page. */
export class Product {
  readonly program: Program;
  readonly folder: string;
  readonly baseUrl: string;
  readonly page: Page;
  readonly watched: Watched;
  readonly #browser: Browser;
  #token = '';

  private constructor(parts: {
    program: Program;
    folder: string;
    baseUrl: string;
    browser: Browser;
    watched: Watched;
  }) {
    this.program = parts.program;
    this.folder = parts.folder;
    this.baseUrl = parts.baseUrl;
    this.watched = parts.watched;
    this.page = parts.watched.page;
    this.#browser = parts.browser;
  }

  static async start({ settings, context }: ProductOptions = {}): Promise<Product> {
    const folder = await mkdtemp(join(tmpdir(), 'parapet browser '));
    const program = new Program(settings ? { PARAPET_DATA_DIR: folder, ...settings } : adminSettings(folder));
    const [baseUrl, browser] = await Promise.all([program.ready(), launch()]);
    const watched = await watchedPage(browser, baseUrl, context);
    return new Product({ program, folder, baseUrl, browser, watched });
  }

  /** Asks the API as the administrator, signing in when it is first needed. */
  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    if (this.#token === '' && path !== '/api/auth/sessions')
      this.#token = String((await this.call('POST', '/api/auth/sessions', ADMIN))['accessToken']);
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
    const authorization = this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` };
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', ...authorization },
      ...(method === 'GET' ? {} : { body: text }),
    });
    assert.ok(answer.ok, `${method} ${path} answered ${answer.status} ${answer.ok ? '' : await answer.clone().text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** Signs in through the page, and goes on to a path. */
  signIn = (path: string): Promise<void> => signIn(this.page, this.baseUrl, path);

  async go(path: string): Promise<void> {
    await this.page.goto(this.baseUrl + path);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.program.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
