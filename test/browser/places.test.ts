import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

describe('findings without a file in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  const ids: Record<string, string> = {};

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    for (const name of ['web/zap.json', 'infrastructure/prowler.json'])
      await product.import(await readFile(`test/fixtures/reports/${name}`, 'utf8'));
    const { issues } = await product.call('POST', '/api/agent/deployments/1/issues');
    for (const { issue } of issues as { issue: { id: string; filePath: string } }[]) ids[issue.filePath] = issue.id;
    await product.signIn(finding('https://shop.example.test/search'));
  });

  after(() => product?.stop());

  const finding = (place: string) => `/o/parapet/findings/${ids[place]}`;

  test('show their endpoint and request, and lead to all findings there', async () => {
    const link = page.getByRole('link', { name: 'https://shop.example.test/search' });
    await link.waitFor();
    await page.getByText('GET q', { exact: true }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Code' }).count(), 0);
    await link.click();
    await page.waitForURL((url) => (url.searchParams.get('q') ?? '').startsWith('endpoint:'));
    await page.getByText('Cross Site Scripting (Reflected)').first().waitFor();
  });

  test('show their resource and the part of it', async () => {
    await product.go(finding('arn:aws:s3:::acme-logs'));
    await page.getByRole('link', { name: 'arn:aws:s3:::acme-logs' }).waitFor();
    await page.getByText('eu-central-1', { exact: true }).waitFor();
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });
});
