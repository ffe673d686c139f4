import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import {
  ADMIN,
  ADMIN_SETTINGS,
  browserSkipReason,
  launchBrowser,
  signIn,
  watchedPage,
} from '#test/support/browser/browser.ts';
import { Program, withDataFolder } from '#test/support/world/program.ts';
import { type Bench, type Figure, median, percentile } from './figure.ts';

const DIST = 'web/dist';
const PRESSES = 120;
const BETWEEN_PRESSES_MS = 100;
const OPENINGS = 7;
const CALLS = 40;

const packedKb = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length / 1024;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What a browser loads before the first page is shown, and the largest chunk that one page adds. */
function sizes(): Figure[] {
  const index = readFileSync(`${DIST}/index.html`, 'utf8');
  const first = [...index.matchAll(/(?:src|href)="\/(ui\/[^"]+)"/g)].map(([, name = '']) => name);
  const kbOf = (end: string) =>
    sum(first.filter((name) => name.endsWith(end)).map((name) => packedKb(`${DIST}/${name}`)));
  const later = readdirSync(`${DIST}/ui`)
    .map((name) => `ui/${name}`)
    .filter((name) => name.endsWith('.js') && !first.includes(name));
  return [
    { name: 'first-load JavaScript, gzip', value: kbOf('.js'), unit: 'KB', want: { atMost: 240 } },
    { name: 'first-load CSS, gzip', value: kbOf('.css'), unit: 'KB', want: { atMost: 20 } },
    {
      name: 'largest chunk of a page, gzip',
      value: Math.max(...later.map((name) => packedKb(`${DIST}/${name}`))),
      unit: 'KB',
      want: { atMost: 60 },
    },
  ];
}

/** These run in the page, whose globals this program does not have. The page measures the time itself. */
const OPEN_LIST = `(async () => {
  const link = [...document.querySelectorAll('a')].find(({ pathname }) => pathname.endsWith('/findings'));
  const start = performance.now();
  link.click();
  const isThere = () => document.querySelector('[role="grid"] [role="row"] [role="gridcell"]') !== null;
  while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - start;
})()`;

const WATCH_KEYS = `(() => {
  globalThis.keyTimes = [];
  addEventListener('keydown', () => {
    const start = performance.now();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keyTimes.push(performance.now() - start);
      port2.postMessage(0);
    });
  }, { capture: true });
})()`;

/** From each key press to the next frame, at the speed of a person; faster presses would queue. */
async function pressKeys(page: Page): Promise<number[]> {
  await page.evaluate(WATCH_KEYS);
  for (let count = 0; count < PRESSES; count++) {
    await page.keyboard.press('j');
    await page.waitForTimeout(BETWEEN_PRESSES_MS);
  }
  await page.waitForTimeout(200);
  return page.evaluate<number[]>('keyTimes');
}

const ISSUES = '/api/agent/deployments/demo';
const NARROW = 'is:open severity:critical,high';
const RARE = 'is:open unheard-of-word';
const YEAR_MS = 364 * 24 * 3600 * 1000;

interface Asked {
  name: string;
  path: string;
  body: object;
  atMostMs: number;
}

const both = (q: string) => ({ q, includeWorkflows: true });

/** Requests of the pages, each with a limit for p95. */
const asked = (now: Date): Asked[] => [
  { name: 'list call', path: `${ISSUES}/all_issues`, body: { q: NARROW, limit: 50 }, atMostMs: 200 },
  { name: 'facets call', path: `${ISSUES}/issue_facets`, body: both(NARROW), atMostMs: 300 },
  { name: 'facets of all open findings', path: `${ISSUES}/issue_facets`, body: both('is:open'), atMostMs: 300 },
  { name: 'counts call', path: `${ISSUES}/issue_counts`, body: both(''), atMostMs: 300 },
  { name: 'groups by rule', path: `${ISSUES}/issue_groups`, body: both('is:open'), atMostMs: 300 },
  {
    name: 'list of a word without matches',
    path: `${ISSUES}/all_issues`,
    body: { q: RARE, limit: 50 },
    atMostMs: 500,
  },
  { name: 'counts of a word', path: `${ISSUES}/issue_counts`, body: both('token'), atMostMs: 1000 },
  {
    name: 'overview of a year',
    path: '/api/reporting/demo/reports/overview',
    body: { since: new Date(now.getTime() - YEAR_MS).toISOString() },
    atMostMs: 1000,
  },
];

async function callTimes(baseUrl: string, token: string, { path, body }: Asked): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < CALLS; count++) {
    const start = performance.now();
    const answer = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.text();
    times.push(performance.now() - start);
  }
  return times;
}

const sizeFor = (scale: number) => (scale >= 1 ? 'enterprise' : scale >= 0.03 ? 'team' : 'small');

/** The performance budgets of the web application: download size, time to first rows, and key latency. */
export const benchWeb: Bench = async ({ scale, say }) => {
  const built = spawnSync(process.execPath, ['tools/web.ts'], { stdio: 'inherit' });
  if (built.status !== 0) throw new Error('The web pages could not be built.');
  const figures = sizes();
  if (browserSkipReason !== false) {
    say(browserSkipReason);
    return figures;
  }
  await withDataFolder(async (folder) => {
    const size = sizeFor(scale);
    const program = new Program({ PARAPET_DATA_DIR: folder, ...ADMIN_SETTINGS });
    const baseUrl = await program.ready();
    say(`loading the demo of size ${size}`);
    const demo = new Program({ PARAPET_DATA_DIR: folder }, ['demo', '--size', size]);
    if ((await demo.exited) !== 0) throw new Error(`The demo could not be loaded:\n${demo.output}`);
    say(demo.output.trim().split('\n').at(-3) ?? '');
    const signedIn = await fetch(`${baseUrl}/api/auth/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    const { accessToken } = (await signedIn.json()) as { accessToken: string };
    const calls: Figure[] = [];
    for (const one of asked(new Date())) {
      const value = percentile(await callTimes(baseUrl, accessToken, one), 95);
      calls.push({ name: `${one.name}, 95 of 100`, value, unit: 'ms', want: { atMost: one.atMostMs } });
    }
    const browser = await launchBrowser();
    const { page } = await watchedPage(browser, baseUrl);
    await signIn(page, baseUrl, '/o/demo/projects');
    const openings: number[] = [];
    for (let count = 0; count < OPENINGS; count++) {
      await page.goto(`${baseUrl}/o/demo/projects`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(500);
      openings.push(await page.evaluate<number>(OPEN_LIST));
    }
    const keys = await pressKeys(page);
    await browser.close();
    await program.stop();
    figures.push(
      { name: `list on screen (${size})`, value: median(openings), unit: 'ms', want: { atMost: 500 } },
      { name: 'key to paint, p50', value: percentile(keys, 50), unit: 'ms', want: { atMost: 16 } },
      { name: 'key to paint, p95', value: percentile(keys, 95), unit: 'ms', want: { atMost: 50 } },
      ...calls,
    );
  });
  return figures;
};
