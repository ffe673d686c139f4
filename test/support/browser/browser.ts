import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { isWebAppBuilt } from '../../../src/site/web-app.ts';
import { ENGINE_SETTINGS } from '../sandbox/engine.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env['CHROMIUM_PATH'] ?? BROWSERS.find((path) => existsSync(path));

function skipReason(): string | false {
  if (executablePath === undefined)
    return 'no Chromium on this machine: install Debian’s package chromium or set CHROMIUM_PATH';
  // Every page would say only that it is not built, and each test would wait for minutes.
  return !isWebAppBuilt() && 'the web application is not built: run `node tools/web.ts`, or `npm test`, which does so';
}

/** The reason why browser tests are skipped here, or false. */
export const browserSkipReason = skipReason();

/**
 * Disables the background requests of the browser, so that each request comes from a page, and the emulation of a
 * graphics card, which takes a third of the processor time.
 */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ARGS });

/** How long an unused browser stays open for the next test file. */
const LINGER_MS = 1_000;
let shared: Promise<Browser> | undefined;
let users = 0;

/** The browser of this process, started on first use. Each user creates its own contexts and releases the browser. */
export async function acquireBrowser(): Promise<Browser> {
  users += 1;
  const browser = await shared;
  if (!browser?.isConnected()) shared = launchBrowser();
  return shared as Promise<Browser>;
}

export function releaseBrowser(): void {
  users -= 1;
  setTimeout(() => void closeIfUnused(), LINGER_MS);
}

async function closeIfUnused(): Promise<void> {
  if (users > 0) return;
  const browser = shared;
  shared = undefined;
  await (await browser)?.close();
}

export interface WatchedPage {
  page: Page;
  /** Requests to another origin. */
  foreignRequests: string[];
  /** Script errors and violations of the content security policy. */
  pageErrors: string[];
}

/** A page that records each request to another origin and each console error. */
export async function watchedPage(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(180_000);
  const foreignRequests: string[] = [];
  const pageErrors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl)) foreignRequests.push(request.url());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) pageErrors.push(message.text());
  });
  return { page, foreignRequests, pageErrors };
}

export interface Credentials {
  email: string;
  password: string;
}

export const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' } as const;

/** The settings of a server that has an administrator from its first start, and can run rules. */
export const ADMIN_SETTINGS = {
  PARAPET_SETUP_ADMIN_EMAIL: ADMIN.email,
  PARAPET_SETUP_ADMIN_PASSWORD: ADMIN.password,
  ...ENGINE_SETTINGS,
} as const;

/** Signs in through the page, like a user. */
export async function signIn(page: Page, baseUrl: string, next = '/', who: Credentials = ADMIN): Promise<void> {
  await page.goto(`${baseUrl}/sign-in?next=${encodeURIComponent(next)}`);
  await page.getByLabel('E-mail address').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}
