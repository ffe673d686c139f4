import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const FILES = ['one', 'two', 'three', 'four'];
const hit = (file: string): CheckerHit => ({
  rule: `rule-${file}`,
  title: `Flaw ${file}`,
  path: `src/${file}.js`,
  lines: ['', 'flaw(x)', ''],
  match: 'flaw',
});

describe('the inbox in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;

  /** A member who must request exceptions, and requests one. */
  async function askToIgnore(file: string): Promise<void> {
    const token = await product.member({
      name: 'Grace',
      email: 'grace@example.com',
      password: 'another long sentence',
    });
    const body = {
      filter: { filePaths: [`src/${file}.js`] },
      params: {
        triageState: 'FINDING_TRIAGE_STATE_IGNORED',
        triageReason: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK',
        note: 'Only tests call it.',
      },
    };
    await product.call('PATCH', '/api/agent/deployments/1/findings/v2', body, token);
  }

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    await product.signIn('/o/parapet/inbox');
  });

  after(() => product?.stop());

  const rows = () => page.getByRole('list', { name: 'To review' }).getByRole('listitem');
  const panel = () => page.getByRole('region', { name: /^Finding ISS-/ });

  test('explains how to start if nothing was uploaded', async () => {
    await page.getByRole('heading', { name: 'No scan results yet' }).waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
  });

  test('shows new findings beside the list and can be used with the keyboard', async () => {
    await product.import(sarifOf(FILES.map(hit)));
    await product.call('PUT', '/api/agent/deployments/1/products', { hasDeveloperTriage: true });
    await askToIgnore('four');
    await product.go('/o/parapet/inbox');
    await rows().nth(3).waitFor();
    const second = (await rows().nth(1).getByRole('link').textContent()) ?? '';
    await page.keyboard.press('j');
    await panel().getByRole('heading', { name: second }).waitFor();
    await page.keyboard.press('3');
    await rows().nth(1).getByText('To fix').waitFor();
    await page.reload();
    await rows().nth(2).waitFor();
    assert.equal(await rows().count(), 3);
  });

  test('marking a finding as done removes it, and undo restores it', async () => {
    const first = (await rows().nth(0).getByRole('link').textContent()) ?? '';
    await rows().nth(0).getByRole('link').click();
    await panel().getByRole('heading', { name: first }).waitFor();
    await page.keyboard.press('d');
    await page.getByText(/ISS-\d+: done/).waitFor();
    assert.equal(await rows().count(), 2);
    await page.keyboard.press('z');
    await rows().nth(2).waitFor();
  });

  test('an exception request can be answered with a reply', async () => {
    await page.getByRole('tab', { name: /Approvals/ }).click();
    await page.getByText('Only tests call it.').first().waitFor();
    await page.getByRole('button', { name: 'Approve: Flaw four' }).click();
    await page.getByLabel('Reply (optional)').fill('Until the tests move.');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('heading', { name: 'No pending requests' }).waitFor();
    await page.goBack();
    await rows().first().waitFor();
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });

  test('shows a scan that reported nothing, and its page says what stays open', async () => {
    const many = Array.from({ length: 40 }, (_, index) => hit(`many-${index}`));
    await product.import(sarifOf(many));
    await product.import(sarifOf([]));
    await product.go('/o/parapet/inbox?tab=failing');
    const held = page.getByRole('region', { name: 'Held closings' }).getByRole('listitem');
    await held.getByText(/4\d findings stay open until the next scan or a person confirms/).waitFor();
    await held.getByRole('link').click();
    await page
      .getByRole('note')
      .getByText(/although this scan did not report them/)
      .waitFor();
    await page.getByRole('link', { name: /4\d findings stay open/ }).click();
    await page.waitForURL(/is(:|%3A)held/);
  });
});
