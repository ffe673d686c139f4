import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const hits: CheckerHit[] = Array.from({ length: 30 }, (_, index) => ({
  rule: 'flaw',
  title: 'Flaw',
  path: `src/file${index}.js`,
  lines: ['', `flaw(${index})`, ''],
  match: 'flaw',
}));

describe('held closings in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    for (const project of ['acme/web', 'acme/api']) {
      await product.import(sarifOf(hits), project);
      await product.import(sarifOf([]), project);
    }
    await product.signIn('/o/parapet/inbox?tab=failing');
  });

  after(() => product?.stop());

  test('are closed from the inbox', async () => {
    await page.getByRole('heading', { name: 'Held closings' }).waitFor();
    await page.getByRole('button', { name: 'Close the findings: acme/api' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close findings' }).click();
    await page.getByText('30 findings closed.').waitFor();
    await page.getByRole('button', { name: 'Close the findings: acme/api' }).waitFor({ state: 'detached' });
  });

  test('are explained on the page of the project, and kept open from the scan', async () => {
    await page.getByRole('link', { name: 'acme/web' }).click();
    await page.getByText('30 findings stay open').waitFor();
    await page.getByRole('link', { name: 'acme/web' }).click();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Held closings' }).waitFor();
    await page.getByRole('link', { name: /^Scan \d+$/ }).click();
    await page.getByRole('button', { name: /^Keep the findings open/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep open' }).click();
    await page.getByText('30 findings kept open.').waitFor();
    await page.getByText('30 findings stay open').waitFor({ state: 'detached' });
  });
});
