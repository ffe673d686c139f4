import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { Keyboard } from '#test/support/browser/keyboard.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { GUARDED_REPORT } from '#test/support/browser/small-organization.ts';
import { waitFor, waitUntil } from '#test/support/wait.ts';

const REPORT = 'test/fixtures/reports/eslint.sarif';
const AGENT = '/api/agent/deployments/parapet';
const REPORTS = '/api/reporting/parapet/reports/guardrails-activity';

type Row = Record<string, string>;

describe('the main tasks with the keyboard only', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  let keyboard: Keyboard;

  before(async () => {
    product = await RunningApp.start({ context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    ({ page } = product);
    keyboard = new Keyboard(page);
    for (const name of ['Grace', 'Alan'])
      await product.member({ name, email: `${name}@example.com`, password: 'a long enough sentence' });
    const imports = '/api/v1/deployments/parapet/imports?project=acme/pay&ref=refs/pull/7/merge&commit=3333333';
    await product.call('POST', imports, GUARDED_REPORT);
    // The file chooser is a window of the operating system.
    page.on('filechooser', (chooser) => void chooser.setFiles(REPORT));
    await product.signIn('/o/parapet/start');
  });
  beforeEach(async () => {
    await product.go('/o/parapet/start');
    await heading('Getting started');
  });
  after(() => product?.stop());

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const rowsOf = async (method: string, path: string, name: string): Promise<Row[]> =>
    (await product.call(method, path))[name] as Row[];

  test('first scan: choose, preview and import a report, then open its findings with one key', async () => {
    await keyboard.tabTo(button('Choose a file'));
    await keyboard.press('Enter');
    await keyboard.isIn(page.getByRole('dialog', { name: 'Upload a report' }));
    await keyboard.tabTo(page.getByLabel(/Choose a report/));
    await keyboard.press('Enter');
    await page.getByText('eslint.sarif').waitFor();
    await keyboard.tabTo(page.getByLabel('Project', { exact: true }));
    await keyboard.press('Control+a');
    await keyboard.type('acme/web');
    await keyboard.press('Enter');
    await page.getByText(/Preview: \d+ new/).waitFor();
    await keyboard.tabTo(button('Upload'));
    await keyboard.press('Enter');
    await page.getByText(/^\d+ new, 0 unchanged$/).waitFor();
    await keyboard.isAt(page.getByRole('link', { name: 'Findings of acme/web' }));
    await keyboard.press('Enter');
    await heading('Findings');
    const { total } = await product.call('POST', `${AGENT}/issue_facets`, { q: 'is:open project:acme/web', keys: [] });
    assert.ok(Number(total) > 0);
  });

  test('first triage: three keys ignore a finding as a false positive', async () => {
    await keyboard.press('g', 'i');
    await heading('Inbox');
    await page.getByRole('list', { name: 'To review' }).getByRole('listitem').nth(1).waitFor();
    await keyboard.press('j', 'i', 'f');
    await page.getByText(/ISS-\d+: Ignored \(false positive\)/).waitFor();
    await keyboard.stop();
    const ignored = (await product.call('POST', `${AGENT}/issues`, { q: 'is:ignored' }))['issues'] as {
      issue: Row;
    }[];
    assert.equal(ignored.length, 1);
    assert.match(JSON.stringify(ignored), /FALSE_POSITIVE/);
  });

  test('first report: open it by search, read it point by point, export it and copy its link', async () => {
    await keyboard.press('Control+k');
    await keyboard.isAt(page.getByPlaceholder(/Go to, or find/));
    await keyboard.type('report');
    await page.getByRole('dialog').getByRole('button', { name: 'Reports', exact: true }).waitFor();
    await keyboard.press('Enter');
    await heading('Guardrails activity');
    const marks = page.getByRole('group', { name: /^Findings per \w+: values/ });
    await keyboard.tabTo(marks.locator('[tabindex="0"]'));
    await keyboard.press('ArrowUp');
    await keyboard.isAt(marks.locator('[tabindex="0"]'));
    await keyboard.press('e');
    await keyboard.isIn(page.getByRole('menu'));
    await page.getByRole('menuitem', { name: 'Numbers as CSV' }).waitFor();
    const downloading = page.waitForEvent('download');
    await keyboard.press('Enter');
    const rows = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n').slice(1);
    const silenced = rows.reduce((sum, row) => sum + Number(row.split(',').at(-1)), 0);
    const timePeriod = { since: new Date(Date.now() - 86_400_000).toISOString(), until: new Date().toISOString() };
    const filters = { timePeriod, timeBucketSize: 'TIME_BUCKET_SIZE_DAY' };
    const { totalOpened } = await product.call('POST', REPORTS, { filters });
    assert.deepEqual([silenced, Number(totalOpened)], [1, 1]);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await keyboard.press('u');
    await page.getByText('Link copied').waitFor();
    await waitUntil(async () => (await copied()) === page.url(), 'the link is not in the clipboard');
  });

  test('create a team with a person and a project, after a review of the access changes', async () => {
    await keyboard.press('g', 's');
    await heading('Settings');
    await keyboard.tabTo(page.getByLabel('Find a settings page'));
    await keyboard.type('teams');
    await keyboard.press('Enter');
    await heading('Teams');
    await keyboard.tabTo(button('Create'));
    await keyboard.press('Enter');
    await keyboard.isAt(page.getByRole('dialog').getByLabel('Name'));
    await keyboard.type('Payments');
    await keyboard.press('Enter');
    await heading('Payments');
    await keyboard.tabTo(page.getByRole('combobox', { name: 'Add a project' }));
    await keyboard.type('web');
    await page.getByRole('option', { name: 'acme/web' }).waitFor();
    await keyboard.press('ArrowDown', 'Enter');
    await page.getByRole('tab', { name: 'Projects (1)' }).waitFor();
    await keyboard.press('Shift+Tab');
    await keyboard.isAt(page.getByRole('tab', { name: 'Projects (1)' }));
    await keyboard.press('ArrowRight');
    await keyboard.isAt(page.getByRole('tab', { name: 'People (0)' }));
    await keyboard.tabTo(page.getByRole('combobox', { name: 'Add a person' }));
    await keyboard.type('grace');
    await page.getByRole('option', { name: /Grace/ }).waitFor();
    await keyboard.press('ArrowDown', 'Enter');
    await keyboard.tabTo(button('Review'));
    await keyboard.press('Enter');
    await page.getByRole('dialog').getByText(/Grace/).first().waitFor();
    await keyboard.isAt(button('Save'));
    await keyboard.press('Enter');
    await page.getByText('Team Payments saved').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const teams = await rowsOf('POST', '/api/permissions/v2/deployments/parapet/teams/list', 'teams');
    const made = teams.find(({ name }) => name === 'Payments');
    assert.deepEqual([made?.['userCount'], made?.['repositoryCount']], ['1', '1']);
  });

  test('create a token: choose a preset with arrow keys, enter a name, copy the secret', async () => {
    await keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to, or find/).waitFor();
    await keyboard.type('token');
    await page.getByRole('dialog').getByRole('button', { name: 'Settings: Tokens', exact: true }).waitFor();
    await keyboard.press('Enter');
    await heading('Tokens');
    await keyboard.tabTo(button('Create'));
    await keyboard.press('Enter');
    await keyboard.isAt(page.getByRole('dialog').getByLabel('Name'));
    await keyboard.type('dashboard');
    await keyboard.press('Shift+Tab');
    await keyboard.stop();
    await keyboard.press('ArrowDown');
    await keyboard.isAt(page.getByRole('radio', { name: /^Read only/ }));
    await keyboard.tabTo(page.getByRole('dialog').getByRole('button', { name: 'Create' }));
    await keyboard.press('Enter');
    await page.getByText('Waiting for the first use').waitFor();
    await keyboard.tabTo(button('Copy secret'));
    await keyboard.press('Enter');
    const secret = await waitFor(async () => ((await copied()).startsWith('pap_') ? copied() : undefined));
    await keyboard.tabTo(button('I have copied it'));
    await keyboard.press('Enter');
    await page.getByRole('cell', { name: /^dashboard/ }).waitFor();
    const headers = { authorization: `Bearer ${secret}` };
    assert.equal((await fetch(`${product.baseUrl}/api/v1/deployments/parapet/findings`, { headers })).status, 200);
    const tokens = await rowsOf('GET', '/api/tokens/v1/deployments/parapet/tokens', 'tokens');
    assert.deepEqual(
      tokens.map(({ name, role }) => [name, role]),
      [['dashboard', 'TOKEN_ROLE_READ_ONLY']],
    );
  });

  test('create an automation with a trigger, a filter and an action', async () => {
    await keyboard.press('g', 'a');
    await heading('Automations');
    await keyboard.tabTo(button('New automation'));
    await keyboard.press('Enter');
    await keyboard.isAt(page.getByRole('dialog').getByLabel('Name'));
    await keyboard.type('Comment on what is severe');
    await keyboard.tabTo(page.getByRole('combobox', { name: 'How the conditions combine' }));
    await keyboard.press('Enter', 'ArrowDown', 'Enter');
    await keyboard.tabTo(button('Create automation'));
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const made = await rowsOf('GET', '/api/notifications/deployments/parapet/automations', 'automations');
    assert.equal(made.length, 1);
    assert.equal(made[0]?.['name'], 'Comment on what is severe');
  });

  test('no page calls another origin or violates the content security policy', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });
});
