import type { Locator, Page } from 'playwright-core';
import type { SmallOrganization } from './small-organization.ts';

interface Opening {
  name: string;
  address: (org: SmallOrganization) => string;
  open: (page: Page) => Promise<void>;
  /** The element that is shown when it is open. */
  shows: (page: Page) => Locator;
  /** Whether it is available on a phone. */
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

/** Overlays that have no URL of their own. */
export const OVERLAYS: readonly Opening[] = [
  { name: 'the palette', address: findings, open: keys('Control+k'), shows: (page) => page.getByPlaceholder(/Go to/) },
  { name: 'the shortcut sheet', address: findings, open: keys('Shift+?'), shows: dialog },
  {
    name: 'the user menu',
    address: findings,
    open: (page) => page.getByTitle('Your menu').click(),
    shows: menu,
  },
  { name: 'the export menu', address: findings, open: keys('e'), shows: menu },
  { name: 'the sort menu', address: findings, open: button('Newest first'), shows: menu },
  { name: 'the column menu', address: findings, open: button('Columns'), shows: menu, isOnPhone: false },
  {
    name: 'the filter completion',
    address: findings,
    open: keys('/', 'End', ' ', 's'),
    shows: (page) => page.getByRole('listbox'),
  },
  { name: 'the bulk dialog', address: findings, open: openBulk, shows: dialog },
  {
    name: 'the ignore form',
    address: (org) => at(`findings/${org.issue}`)(org),
    open: button('Ignore…'),
    shows: (page) => page.getByRole('radio', { name: 'Acceptable risk' }),
  },
  { name: 'the upload dialog', address: at('projects'), open: button('Upload a report'), shows: dialog },
  {
    name: 'the exception reply form',
    address: at('inbox?tab=approvals'),
    open: button(/^Approve: /),
    shows: (page) => page.getByLabel('Reply (optional)'),
  },
  { name: 'the new ruleboard dialog', address: at('policies'), open: button('New ruleboard'), shows: dialog },
  {
    name: 'the review of access changes',
    address: (org) => at(`settings/teams/${org.team}?tab=people`)(org),
    open: openReview,
    shows: (page) => dialog(page).getByText(/loses/).first(),
  },
  {
    name: 'the delete confirmation',
    address: at('settings/tokens'),
    open: button(/^Delete /),
    shows: dialog,
  },
];
