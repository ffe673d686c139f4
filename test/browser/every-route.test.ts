import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  APPEARANCES,
  type Appearance,
  applyAppearance,
  axeInAppearances,
  TWO_APPEARANCES,
} from '#test/support/browser/axe.ts';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { OVERLAYS } from '#test/support/browser/overlays.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { fillSmallOrganization, type SmallOrganization } from '#test/support/browser/small-organization.ts';
import { webRoutes } from '#test/support/browser/web-routes.ts';
import { SETTINGS_SECTIONS } from '#web/features/settings/settings-sections.ts';

/** An address of a route, and the heading that it shows. */
type Sample = readonly [address: string, heading: string | RegExp];

/** What these show is another route. */
const REDIRECTS = ['/', '/i/$issueId', '/o/$slug/'];
const SETTINGS_ROUTE = '/o/$slug/settings/{-$section}/{-$item}';

interface LonePage {
  address: string;
  heading: string | RegExp;
  /** It took a secret out of its address, and shows something else when it is loaded again. */
  isOnce?: boolean;
  /** What is done before it is looked at. */
  prepare?: (page: Page) => Promise<void>;
}

/** Leaves a few operations and opens the first: axe takes a minute for all of them, also where they are hidden. */
async function narrowOperations(page: Page): Promise<void> {
  await page.locator('#search').fill('team');
  await page.keyboard.press('Enter');
  await page.locator('.operation[open]').waitFor();
  await page.evaluate('for (const other of document.querySelectorAll("[data-search][hidden]")) other.remove()');
}

/** Pages beside the application. */
const LONE_PAGES: readonly LonePage[] = [
  { address: '/docs/api', heading: /^Parapet/, prepare: narrowOperations },
  { address: '/docs/errors', heading: 'Errors' },
  { address: '/invitation', heading: 'Accept an invitation' },
  { address: '/invitation#t=made-up', heading: 'Accept the invitation', isOnce: true },
  { address: '/login', heading: 'Log in a command line' },
  { address: '/login?cli-token=made-up', heading: 'Log in a command line?', isOnce: true },
];

/** At least one address for each route, and one for each view that looks different. */
const samplesOf = ({
  slug,
  issue,
  project,
  scan,
  team,
  person,
}: SmallOrganization): Record<string, readonly Sample[]> => {
  const org = `/o/${slug}`;
  return {
    '/sign-in': [['/sign-in?next=/o/parapet/projects', 'Sign in']],
    '/setup': [['/setup', /./]],
    '/': [['/', 'Inbox']],
    '/i/$issueId': [[`/i/ISS-${issue}`, 'SQL built from a request']],
    '/o/$slug/': [[org, 'Inbox']],
    '/o/$slug/start': [[`${org}/start`, 'Getting started']],
    '/o/$slug/inbox': ['', '?tab=approvals', '?tab=expiring', '?tab=failing'].map((tab) => [
      `${org}/inbox${tab}`,
      'Inbox',
    ]),
    '/o/$slug/findings': [
      '?q=is:open',
      '?group=rule&q=is:open',
      `?at=${issue}&q=is:open`,
      '?q=cwe:1',
      '?q=type:workflow',
    ].map((search) => [`${org}/findings${search}`, 'Findings']),
    '/o/$slug/findings/$issueId': ['', '?tab=flow&step=2', '?tab=history', '?tab=why'].map((tab) => [
      `${org}/findings/${issue}${tab}`,
      'SQL built from a request',
    ]),
    '/o/$slug/projects': [[`${org}/projects?q=acme`, 'Projects']],
    '/o/$slug/projects/$projectId': ['', '?tab=scans', '?tab=dependencies', '?tab=settings'].map((tab) => [
      `${org}/projects/${project}${tab}`,
      'acme/web',
    ]),
    '/o/$slug/scans/$scanId': [[`${org}/scans/${scan}`, /^Scan \d+$/]],
    '/o/$slug/dependencies': [[`${org}/dependencies?q=a`, 'Dependencies']],
    '/o/$slug/overview': [[`${org}/overview?since=-30d`, 'Overview']],
    '/o/$slug/reports/guardrails': ['?since=-30d', '?since=-30d&view=table'].map((search) => [
      `${org}/reports/guardrails${search}`,
      'Guardrails activity',
    ]),
    '/o/$slug/policies': [[`${org}/policies`, 'Policies']],
    '/o/$slug/policies/ruleboards/$boardSlug': ['', '?panel=library'].map((panel) => [
      `${org}/policies/ruleboards/global-policy${panel}`,
      'Global Policy',
    ]),
    '/o/$slug/automations': ['', '?at=new'].map((at) => [`${org}/automations${at}`, 'Automations']),
    [SETTINGS_ROUTE]: [
      ['', 'Settings'],
      ['/teams', 'Teams'],
      ['/teams?new=true', 'Teams'],
      [`/teams/${team}`, 'Payments'],
      [`/teams/${team}?tab=people`, 'Payments'],
      [`/teams/${team}?tab=teams`, 'Payments'],
      ['/people', 'People'],
      ['/people?new=true', 'People'],
      [`/access?person=${person}&project=${project}`, 'Access inspector'],
      ['/tokens', 'Tokens'],
      ['/tokens?preset=ci', 'Tokens'],
      ['/products', 'Products'],
      ['/sign-in', 'Sign-in'],
      ['/sign-in/new?preset=saml', 'Add a provider'],
      ['/partner', 'Partner credentials'],
      ['/partner?new=true', 'Partner credentials'],
      ['/audit?outcome=success', 'Audit log'],
      ['/system', 'System'],
      ['/appearance', 'Appearance and shortcuts'],
      ['/nowhere', 'Settings'],
    ].map(([path, heading]) => [`${org}/settings${path}`, heading ?? '']),
  };
};

/** What of a view can be told from outside: its headings, tabs, fields and switches, and how many rows it has. */
async function viewOf(page: Page): Promise<string[]> {
  const parts = (await page.locator('body').ariaSnapshot()).split('\n').map((line) => line.trim());
  const kept = /^- (heading|tab|textbox|searchbox|combobox|checkbox|radio|switch|dialog)\b/;
  const rows = parts.filter((line) => line.startsWith('- row')).length;
  return [
    new URL(page.url()).pathname + new URL(page.url()).search,
    `${rows} rows`,
    ...parts.filter((line) => kept.test(line)),
  ];
}

/** What a page shows when it has come to rest. */
async function stillView(page: Page): Promise<string[]> {
  let before: string[] = [];
  for (let view = await viewOf(page); view.join() !== before.join(); view = await viewOf(page)) {
    before = view;
    await page.waitForTimeout(250);
  }
  return before;
}

/** By how much a page is wider than the screen, as soon as what is drawn to measure has followed. */
async function overflowOf(page: Page): Promise<number> {
  const deadline = Date.now() + 5000;
  const measure = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  let overflow = await measure();
  while (overflow > 0 && Date.now() < deadline) overflow = await measure();
  return overflow;
}

/** Waits until a page shows what it should; what it shows instead is told when that does not come. */
async function otherView(page: Page, expected: readonly string[]): Promise<string[]> {
  const deadline = Date.now() + 15_000;
  let view = await viewOf(page);
  while (view.join('\n') !== expected.join('\n') && Date.now() < deadline) {
    await page.waitForTimeout(100);
    view = await viewOf(page);
  }
  const extra = view.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`);
  return [...extra, ...expected.filter((line) => !view.includes(line)).map((line) => `- ${line}`)];
}

describe('every route in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  let pasted: Page;
  let org: SmallOrganization;
  let samples: Record<string, readonly Sample[]>;
  const errors: string[] = [];
  const visited: string[][] = [];

  before(async () => {
    product = await RunningApp.start({ context: { reducedMotion: 'reduce' } });
    org = await fillSmallOrganization(product);
    samples = samplesOf(org);
    ({ page } = product);
    await product.signIn('/o/parapet/settings/appearance');
    await settle(page, 'Appearance and shortcuts');
    pasted = await page.context().newPage();
    await page.bringToFront();
    for (const one of [page, pasted])
      one.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${one.url()}: ${message.text()}`);
      });
    pasted.on('pageerror', (error) => errors.push(error.message));
    pasted.on('request', (request) => {
      if (!request.url().startsWith(product.baseUrl)) product.watched.outside.push(request.url());
    });
  });
  after(() => product?.stop());

  async function settle(one: Page, heading: string | RegExp): Promise<void> {
    await one.locator('h1:visible').filter({ hasText: heading }).waitFor();
    await one.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  /** Every page in every look; what differs from it by a tab or a filter has both schemes and both widths. */
  function looksFor(route: string, [address]: Sample, index: number): readonly Appearance[] {
    if (REDIRECTS.includes(route)) return [];
    return index === 0 || (route === SETTINGS_ROUTE && !/\b(new|preset|tab)=/.test(address))
      ? APPEARANCES
      : TWO_APPEARANCES;
  }

  /** As a click on a link goes there, without loading anything anew. */
  const follow = (address: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);

  /** What is wrong with how the page looks now, one line for each thing. */
  async function faultsInLooks(looks: readonly Appearance[]): Promise<string[]> {
    const faults = await axeInAppearances(page, looks);
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = await overflowOf(page);
    if (overflow > 0) faults.push(`${overflow} px too wide at 320 px`);
    await applyAppearance(page, APPEARANCES[0] as Appearance);
    return faults;
  }

  async function faultsOfReload(view: readonly string[]): Promise<string[]> {
    await page.reload();
    return (await otherView(page, view)).map((line) => `reloaded: ${line}`);
  }

  /** What is wrong with an address, one line for each thing. */
  async function faultsOf([address, heading]: Sample, looks: readonly Appearance[]): Promise<string[]> {
    await follow(address);
    await settle(page, heading);
    const faults = await faultsInLooks(looks);
    const view = await stillView(page);
    visited.push(view);
    // A page that is not in front is slowed down by the browser.
    await pasted.bringToFront();
    await pasted.goto(product.baseUrl + address);
    faults.push(...(await otherView(pasted, view)).map((line) => `pasted: ${line}`));
    await page.bringToFront();
    faults.push(...(await faultsOfReload(view)));
    return faults.map((fault) => `${address}: ${fault}`);
  }

  /** The same of a page that is loaded by itself. */
  async function faultsOfLone({ address, heading, isOnce = false, prepare }: LonePage): Promise<string[]> {
    await product.go(address);
    await settle(page, heading);
    const faults = isOnce ? [] : await faultsOfReload(await stillView(page));
    await prepare?.(page);
    return [...faults, ...(await faultsInLooks(TWO_APPEARANCES))];
  }

  test('each route of the router and each page of the settings has an address here', () => {
    assert.deepEqual(Object.keys(samples).toSorted(), webRoutes().toSorted());
    const addresses = samples[SETTINGS_ROUTE]?.map(([address]) => address) ?? [];
    for (const { path } of SETTINGS_SECTIONS)
      assert.ok(
        addresses.some((address) => new RegExp(`/settings/${path}\\b`).test(address)),
        path,
      );
  });

  for (const route of webRoutes())
    test(`${route} passes axe, fits 320 px, and is restored by a reload and a pasted link`, async () => {
      const faults: string[] = [];
      for (const [index, sample] of (samples[route] ?? []).entries())
        faults.push(...(await faultsOf(sample, looksFor(route, sample, index))));
      assert.deepEqual(faults, []);
    });

  test('the way back restores one view after the other', async () => {
    // A browser keeps fifty.
    for (const view of visited.toReversed().slice(1, 45)) {
      await page.goBack();
      assert.deepEqual(await otherView(page, view), [], view[0]);
    }
  });

  for (const lone of LONE_PAGES)
    test(`${lone.address} passes axe, fits 320 px${lone.isOnce ? '' : ', and is restored by a reload'}`, async () => {
      assert.deepEqual(await faultsOfLone(lone), []);
    });

  test('the page for who has no organization passes axe, fits 320 px, and is restored by a reload', async () => {
    // Only told so: to be taken out of all organizations would end the session of what follows.
    await page.route('**/api/auth/users/current/deployments', (route) => route.fulfill({ json: { orgs: [] } }));
    assert.deepEqual(await faultsOfLone({ address: '/', heading: 'You are not in an organization yet' }), []);
    await page.unrouteAll();
  });

  for (const { name, address, open, shows, isOnPhone = true } of OVERLAYS)
    test(`${name} passes axe when it is open, light on a screen and dark on a phone`, async () => {
      for (const look of TWO_APPEARANCES.slice(0, isOnPhone ? 2 : 1)) {
        await applyAppearance(page, look);
        // Loaded anew, so that nothing of the one before is still open.
        await page.goto(product.baseUrl + address(org));
        await settle(page, /./);
        await open(page);
        await shows(page).waitFor();
        assert.deepEqual(await axeInAppearances(page, [look]), []);
        assert.ok(await shows(page).isVisible());
      }
    });

  test('nothing asked another origin, broke the content policy or complained to the console', () => {
    assert.deepEqual([product.watched.outside, product.watched.complaints, errors], [[], [], []]);
  });
});
