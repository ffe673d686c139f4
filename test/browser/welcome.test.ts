import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { APPEARANCES, axeInAppearances } from '#test/support/browser/axe.ts';
import { ADMIN, browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

const REPORT = 'test/fixtures/reports/eslint.sarif';
const BILL = 'test/fixtures/reports/npm-sbom.cyclonedx.json';

describe('the first ten minutes', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;

  before(async () => {
    product = await RunningApp.start({ settings: {} });
    page = product.page;
  });
  after(() => product?.stop());

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const go = (path: string) => product.go(`/o/acme/${path}`);

  async function upload(file: string, project: string): Promise<void> {
    await page.getByLabel(/Choose a report/).setInputFiles(file);
    await page.getByLabel('Project', { exact: true }).fill(project);
  }

  test('the printed link opens the setup, is removed from the address bar, and ends at the getting-started page', async () => {
    await page.goto(/\S+\/setup#t=\S+/.exec(product.program.output)?.[0] ?? '');
    await page.getByLabel('Your name').fill('Ada');
    assert.doesNotMatch(page.url(), /#t=/);
    assert.deepEqual(await axeInAppearances(page, APPEARANCES), []);
    await page.getByLabel('E-mail address').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('too short');
    await page.getByLabel('Organization').fill('Acme');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await page
      .getByText(/3 more to go/)
      .first()
      .waitFor();
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await heading('Getting started');
    assert.match(page.url(), /\/o\/acme\/start$/);
  });

  test('a report is previewed and imported, and the checklist updates itself', async () => {
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await upload(REPORT, 'acme/web');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText(/Preview: \d+ new/).waitFor();
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText(/^\d+ new, 0 unchanged$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listitem').filter({ hasText: 'Import a first scan' }).getByText('Done').waitFor();
  });

  test('an unreadable report shows the reason and a remedy', async () => {
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await page.getByLabel(/Choose a report/).setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('This is no report.'),
    });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/cannot be read/)
      .waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'REPORT_UNREADABLE' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a project shows its open findings, its scans and the changes of a scan', async () => {
    await go('projects');
    await page.getByRole('link', { name: 'acme/web' }).click();
    await heading('acme/web');
    await page.getByRole('tab', { name: 'Scans' }).click();
    assert.match(page.url(), /tab=scans/);
    await page.getByRole('row').nth(1).getByRole('link').click();
    await heading(/^Scan \d+$/);
    const opened = await page.getByRole('heading', { level: 3, name: /^New: / }).textContent();
    await page.goBack();
    await page.getByRole('tab', { name: 'Scans', selected: true }).waitFor();
    await go('projects');
    const count = await page.getByRole('row').nth(1).getByRole('link', { name: /^\d+$/ }).textContent();
    assert.equal(opened, `New: ${count}`);
  });

  test('a bill of materials shows which projects depend on a package in a version range', async () => {
    await go('projects');
    await page.getByRole('button', { name: 'Upload a report' }).first().click();
    await upload(BILL, 'acme/web');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText(/cyclonedx-json/).waitFor();
    await page.keyboard.press('Escape');
    await go('dependencies');
    const [name = ''] = ((await page.getByRole('row').nth(1).getByRole('cell').first().textContent()) ?? '')
      .split(' ')
      .slice(1);
    await page.getByLabel('Package').fill(`${name}@>=0.0.0`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=/);
    await page.getByRole('row').nth(1).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel('Package').inputValue(), `${name}@>=0.0.0`);
    await page.getByLabel('Package').fill(`${name}@<0.0.0`);
    await page.keyboard.press('Enter');
    await page.getByText('No matching dependency').waitFor();
  });

  test('pages can be reached by keyboard: palette, shortcut sheet and go-to keys', async () => {
    await go('projects');
    await heading('Projects');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await heading('Dependencies');
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Findings').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to, or find/).fill('acme/web');
    await page.getByRole('dialog').getByRole('button', { name: 'acme/web', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading('acme/web');
  });

  test('after signing out, a user is asked to sign in and is returned to the requested page', async () => {
    await page.getByTitle('Your menu').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    await go('dependencies?q=lodash');
    await page.waitForURL(/\/sign-in\?next=/);
    await page.getByLabel('E-mail address').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('alert')
      .getByText(/is incorrect/)
      .waitFor();
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading('Dependencies');
    assert.match(page.url(), /\/o\/acme\/dependencies\?q=lodash$/);
  });

  test('no page calls another origin or violates the content security policy', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });
});
