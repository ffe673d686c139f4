import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  APPEARANCES,
  type Appearance,
  appearancesAt,
  applyAppearance,
  axeInAppearances,
} from '#test/support/browser/axe.ts';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { OVERLAYS } from '#test/support/browser/overlays.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { fillSmallOrganization, type SmallOrganization } from '#test/support/browser/small-organization.ts';
import { webRoutes } from '#test/support/browser/web-routes.ts';
import { isFullRun } from '#test/support/properties.ts';
import { shardOf } from '#test/support/shard.ts';
import { SETTINGS_SECTIONS } from '#web/features/settings/settings-sections.ts';

/** The address of a view and the heading that it shows. */
type Sample = readonly [address: string, heading: string | RegExp];

/** Routes that only redirect to another route. */
const REDIRECTS = ['/', '/i/$issueId', '/o/$slug/', '/orgs/$', '/manage/$'];
const SETTINGS_ROUTE = '/o/$slug/settings/{-$section}/{-$item}';

interface StandalonePage {
  address: string;
  heading: string | RegExp;
  /** False if a reload shows something else, because the page removes a secret from its address, or nothing new. */
  isReloaded?: boolean;
  /** Prepares the page before it is checked. */
  prepare?: (page: Page) => Promise<void>;
}

/** Keeps a few operations and opens the first. On all of them, hidden ones included, axe takes a minute. */
async function narrowOperations(page: Page): Promise<void> {
  await page.locator('#search').fill('team');
  await page.keyboard.press('Enter');
  await page.locator('.operation[open]').waitFor();
  await page.evaluate('for (const other of document.querySelectorAll("[data-search][hidden]")) other.remove()');
}

/** Pages outside the application. */
const STANDALONE_PAGES: readonly StandalonePage[] = [
  { address: '/docs/api', heading: /^Parapet/, isReloaded: false, prepare: narrowOperations },
  { address: '/docs/errors', heading: 'Errors' },
  { address: '/invitation', heading: 'Accept an invitation' },
  { address: '/invitation#t=made-up', heading: 'Accept the invitation', isReloaded: false },
  { address: '/reset-password', heading: 'Forgotten your password?' },
  { address: '/reset-password#t=made-up', heading: 'Set a new password', isReloaded: false },
  { address: '/login', heading: 'Log in a command line' },
  { address: '/login?cli-token=made-up', heading: 'Log in a command line?', isReloaded: false },
];

/** At least one address for each route and for each view with a different layout. */
const samplesOf = ({
  slug,
  issue,
  project,
  scan,
  team,
  person,
  automation,
}: SmallOrganization): Record<string, readonly Sample[]> => {
  const org = `/o/${slug}`;
  return {
    '/sign-in': [['/sign-in?next=/o/parapet/projects', 'Sign in']],
    '/sso/$provider': [['/sso/7', 'Sign in']],
    '/setup': [['/setup', /./]],
    '/': [['/', 'Inbox']],
    '/i/$issueId': [[`/i/ISS-${issue}`, 'SQL built from a request']],
    '/o/$slug/': [[org, 'Inbox']],
    '/orgs/$': [[`/orgs/${slug}/findings`, 'Findings']],
    '/manage/$': [['/manage/projects', 'Projects']],
    '/o/$slug/start': [[`${org}/start`, 'Getting started']],
    '/o/$slug/inbox': ['', '?tab=assigned', '?tab=approvals', '?tab=expiring', '?tab=failing', '?tab=notices'].map(
      (tab) => [`${org}/inbox${tab}`, 'Inbox'],
    ),
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
    '/o/$slug/playground': [[`${org}/playground`, 'Playground']],
    '/o/$slug/automations': ['', '?at=new'].map((at) => [`${org}/automations${at}`, 'Automations']),
    '/o/$slug/automations/$automationId': [
      [`${org}/automations/${automation}?tab=deliveries`, 'Comment on what is critical'],
    ],
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
      ['/keyless-ci', 'Keyless CI'],
      ['/products', 'Products'],
      ['/integrations', 'Integrations'],
      ['/integrations?preset=tracker', 'Integrations'],
      ['/sign-in', 'Sign-in'],
      ['/sign-in/new?preset=saml', 'Add a provider'],
      ['/provisioning', 'Provisioning'],
      ['/partner', 'Partner credentials'],
      ['/partner?new=true', 'Partner credentials'],
      ['/audit?outcome=success', 'Audit log'],
      ['/system', 'System'],
      ['/notifications', 'Notifications'],
      ['/account', 'Your account'],
      ['/appearance', 'Appearance and shortcuts'],
      ['/nowhere', 'Settings'],
    ].map(([path, heading]) => [`${org}/settings${path}`, heading ?? '']),
  };
};

/** Every view, known before the server has made up the ids in its address. */
const VIEWS = Object.entries(
  samplesOf({
    ...{ slug: '$slug', issue: '$issue', project: '$project', scan: '$scan', team: '$team', person: '$person' },
    automation: '$automation',
  }),
)
  .flatMap(([route, samples]) => samples.map(([name], index) => ({ route, index, name })))
  .map((view, position) => ({ ...view, position }));
type View = (typeof VIEWS)[number];

/** Reads the observable state of a view in the page. An accessibility snapshot of Playwright takes far longer. */
const READ_VIEW = `(() => {
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  const nameOf = (element) =>
    element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.placeholder ?? '';
  const valueOf = (element) => {
    if (element.matches('input[type=checkbox], input[type=radio]')) return String(element.checked);
    return element.matches('input, select, textarea') ? element.value : element.textContent;
  };
  const describe = (element) =>
    [element.role ?? element.localName, nameOf(element), valueOf(element), element.ariaSelected, element.ariaChecked]
      .filter(Boolean)
      .join(' | ');
  const shown = 'h1, h2, h3, h4, h5, h6, [role=tab], input, select, textarea, [role=switch], [role=dialog] header';
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isVisible);
  return [
    location.pathname + location.search,
    all('tr, [role=row]').length + ' rows',
    all('[role=dialog]').length + ' dialogs',
    ...all(shown).map(describe),
  ];
})()`;

/** The observable state of a view: headings, tabs, fields, switches and the number of rows. */
const viewOf = (page: Page): Promise<string[]> => page.evaluate(READ_VIEW);

const STEADY_MS = 250;
const MAX_READS = 40;

/** Waits until a page shows its heading and loads nothing any more. */
async function settle(one: Page, heading: string | RegExp): Promise<void> {
  await one.locator('h1:visible').filter({ hasText: heading }).waitFor();
  await one.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  // The browser calls back when it has rendered everything that it has received.
  await one.evaluate('new Promise((done) => requestIdleCallback(() => done(), { timeout: 2000 }))');
}

/** The state of a view that no longer changes: panels come back some time after the page has its width again. */
async function steadyView(page: Page): Promise<string[]> {
  let view = await viewOf(page);
  for (let reads = 0; reads < MAX_READS; reads++) {
    await page.waitForTimeout(STEADY_MS);
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const next = await viewOf(page);
    if (next.join('\n') === view.join('\n')) break;
    view = next;
  }
  return view;
}

/** The horizontal overflow of a page in pixels, measured after charts have been redrawn. */
async function overflowOf(page: Page): Promise<number> {
  const deadline = Date.now() + 30_000;
  const measure = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  let overflow = await measure();
  while (overflow > 0 && Date.now() < deadline) overflow = await measure();
  return overflow;
}

/** Waits until a page shows the expected view, and returns the differences that remain. */
async function viewDifferences(page: Page, expected: readonly string[]): Promise<string[]> {
  await settle(page, /./);
  const deadline = Date.now() + 60_000;
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
    page.on('console', (message) => {
      // An answer of a provider that nobody began is refused, which the browser logs.
      const isRefusal = page.url().includes('/sso/') && message.text().includes('status of 401');
      if (message.type() === 'error' && !isRefusal) errors.push(`${page.url()}: ${message.text()}`);
    });
  });
  after(() => product?.stop());

  /** Navigates without a reload, like a click on a link. */
  const follow = (address: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);

  /** Problems with the current appearance of the page, one line each. */
  async function problemsInAppearances(looks: readonly Appearance[]): Promise<string[]> {
    const problems = await axeInAppearances(page, looks);
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = await overflowOf(page);
    if (overflow > 0) problems.push(`${overflow} px too wide at 320 px`);
    await applyAppearance(page, APPEARANCES[0] as Appearance);
    return problems;
  }

  async function problemsOfReload(view: readonly string[]): Promise<string[]> {
    await page.reload();
    return (await viewDifferences(page, view)).map((line) => `reloaded: ${line}`);
  }

  /** Unlike a reload, this starts without the state that the browser keeps for an entry of the history. */
  async function problemsOfPasted(address: string, view: readonly string[]): Promise<string[]> {
    await product.go(address);
    return (await viewDifferences(page, view)).map((line) => `pasted: ${line}`);
  }

  /** Problems with an address, one line each. */
  async function problemsOf([address, heading]: Sample, { route, position }: View): Promise<string[]> {
    await follow(address);
    await settle(page, heading);
    if (REDIRECTS.includes(route)) return [];
    const problems = await problemsInAppearances(appearancesAt(position));
    const view = await steadyView(page);
    visited.push(view);
    problems.push(...(await problemsOfPasted(address, view)));
    // `npm run faults` tries this too; what a pasted link restores, a reload restores as a rule.
    if (isFullRun) problems.push(...(await problemsOfReload(view)));
    return problems;
  }

  /** The same for a page outside the application. */
  async function problemsOfStandalone({
    address,
    heading,
    isReloaded = true,
    prepare,
  }: StandalonePage): Promise<string[]> {
    await product.go(address);
    await settle(page, heading);
    const problems = isReloaded ? await problemsOfReload(await viewOf(page)) : [];
    await prepare?.(page);
    return [...problems, ...(await problemsInAppearances(appearancesAt(address.length)))];
  }

  test('every route of the router and every settings page has an address in this test', () => {
    assert.deepEqual(Object.keys(samples).toSorted(), webRoutes().toSorted());
    const addresses = samples[SETTINGS_ROUTE]?.map(([address]) => address) ?? [];
    for (const { path } of SETTINGS_SECTIONS)
      assert.ok(
        addresses.some((address) => new RegExp(`/settings/${path}\\b`).test(address)),
        path,
      );
  });

  for (const view of shardOf(VIEWS, import.meta.url)) {
    const isRedirect = REDIRECTS.includes(view.route);
    const outcome = isRedirect ? 'leads to its page' : 'passes axe, fits 320 px, and is restored by a pasted link';
    test(`${view.name} ${outcome}`, async () => {
      const sample = samples[view.route]?.[view.index];
      assert.ok(sample !== undefined);
      assert.deepEqual(await problemsOf(sample, view), []);
    });
  }

  test('the back button restores the previous views in order', async () => {
    for (const view of visited.toReversed().slice(1, 10)) {
      await page.goBack();
      assert.deepEqual(await viewDifferences(page, view), [], view[0]);
    }
  });

  for (const one of shardOf(STANDALONE_PAGES, import.meta.url)) {
    const restored = one.isReloaded === false ? '' : ' and is restored by a reload';
    test(`${one.address} passes axe, fits 320 px${restored}`, async () => {
      assert.deepEqual(await problemsOfStandalone(one), []);
    });
  }

  test('the page without an organization passes axe, fits 320 px, and is restored by a reload', async () => {
    // The reply is mocked: leaving all organizations would end the session of the tests below.
    await page.route('**/api/auth/users/current/deployments', (route) => route.fulfill({ json: { orgs: [] } }));
    assert.deepEqual(await problemsOfStandalone({ address: '/', heading: 'You are not in an organization yet' }), []);
    await page.unrouteAll();
  });

  const overlays = OVERLAYS.map((overlay, position) => ({ ...overlay, position }));
  for (const { name, address, open, shows, isOnPhone, position } of shardOf(overlays, import.meta.url))
    test(`${name} passes axe while open`, async () => {
      for (const look of appearancesAt(position, isOnPhone)) {
        await applyAppearance(page, look);
        // Reloads the page, so that nothing opened by the previous test remains.
        await page.goto(product.baseUrl + address(org));
        await settle(page, /./);
        await open(page);
        await shows(page).waitFor();
        assert.deepEqual(await axeInAppearances(page, [look]), []);
        assert.ok(await shows(page).isVisible());
      }
    });

  test('no page calls another origin, violates the content security policy or logs a console error', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors, errors], [[], [], []]);
  });
});
