import type { Locator, Page } from 'playwright-core';
import type { SmallOrganization } from './small-organization.ts';

interface Opening {
  name: string;
  address: (org: SmallOrganization) => string;
  open: (page: Page) => Promise<void>;
  /** What is there when it is open. */
  shows: (page: Page) => Locator;
  /** Whether there is room for it on a phone. */
  isOnPhone?: boolean;
}

const keys =
  (...wanted: string[]) =>
  async (page: Page) => {
    for (const key of wanted) await page.keyboard.press(key);
  };
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const dialog = (page: Page) => page.getByRole('dialog');
const menu = (page: Page) => page.getByRole('menu');
const at =
  (path: string) =>
  ({ slug }: SmallOrganization) =>
    `/o/${slug}/${path}`;
const findings = at('findings?q=is:open');

async function openBulk(page: Page): Promise<void> {
  await page.locator('.findings-line[aria-selected]').first().waitFor();
  await keys('j', 'Control+a', 'Control+a', '3')(page);
}

async function openReview(page: Page): Promise<void> {
  await button(/^Remove /)(page);
  await button('Review')(page);
}

/** What opens over a page and has no address of its own. */
export const OVERLAYS: readonly Opening[] = [
  { name: 'the palette', address: findings, open: keys('Control+k'), shows: (page) => page.getByPlaceholder(/Go to/) },
  { name: 'the sheet of keys', address: findings, open: keys('Shift+?'), shows: dialog },
  {
    name: 'the menu of the person',
    address: findings,
    open: (page) => page.getByTitle('Your menu').click(),
    shows: menu,
  },
  { name: 'the menu of exports', address: findings, open: keys('e'), shows: menu },
  { name: 'the menu of orders', address: findings, open: button('Newest first'), shows: menu },
  { name: 'the menu of columns', address: findings, open: button('Columns'), shows: menu, isOnPhone: false },
  {
    name: 'the completion of the filter',
    address: findings,
    open: keys('/', 'End', ' ', 's'),
    shows: (page) => page.getByRole('listbox'),
  },
  { name: 'the bulk dialog', address: findings, open: openBulk, shows: dialog },
  {
    name: 'the form to ignore',
    address: (org) => at(`findings/${org.issue}`)(org),
    open: button('Ignore…'),
    shows: (page) => page.getByRole('radio', { name: 'Acceptable risk' }),
  },
  { name: 'the upload', address: at('projects'), open: button('Upload a report'), shows: dialog },
  {
    name: 'the answer to a request',
    address: at('inbox?tab=approvals'),
    open: button(/^Approve: /),
    shows: (page) => page.getByLabel('Reply (optional)'),
  },
  { name: 'a new ruleboard', address: at('policies'), open: button('New ruleboard'), shows: dialog },
  {
    name: 'the review of who gains or loses what',
    address: (org) => at(`settings/teams/${org.team}?tab=people`)(org),
    open: openReview,
    shows: (page) => dialog(page).getByText(/loses/).first(),
  },
  {
    name: 'a question before something is deleted',
    address: at('settings/tokens'),
    open: button(/^Delete /),
    shows: dialog,
  },
];
