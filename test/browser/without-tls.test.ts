import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const hit: CheckerHit = { rule: 'weak-hash', title: 'Weak hash', path: 'a.js', lines: ['md5(x)'], match: 'md5' };

/** Runs in the page before its scripts: removes the APIs that browsers offer only in secure contexts. */
function forgetSecureContext(): void {
  for (const [owner, name] of [
    [Object.getPrototypeOf(navigator), 'clipboard'],
    [Object.getPrototypeOf(navigator), 'locks'],
    [Object.getPrototypeOf(crypto), 'randomUUID'],
    [Object.getPrototypeOf(crypto), 'subtle'],
  ] as const)
    Object.defineProperty(owner, name, { value: undefined });
}

describe('pages of a server without TLS, in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  before(async () => {
    product = await RunningApp.start();
    await product.call('POST', '/api/v1/deployments/parapet/imports?project=acme/web', sarifOf([hit]));
    await product.page.addInitScript(forgetSecureContext);
    await product.signIn('/o/parapet/findings');
  });
  after(() => product?.stop());

  /** The text that a paste inserts. */
  async function pasted(): Promise<string> {
    const { page } = product;
    await page.keyboard.press('Control+K');
    const field = page.getByRole('dialog').getByRole('textbox');
    await field.fill('');
    await field.press('Control+V');
    const text = await field.inputValue();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    return text;
  }

  test('a link is copied with a key and from the menu, and the focus does not move', async () => {
    const { page } = product;
    await page.getByRole('row', { name: /Weak hash/ }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Link copied').waitFor();
    assert.equal(await pasted(), page.url());
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page.getByRole('menuitem', { name: 'curl command' }).click();
    await page.getByText('Command copied').waitFor();
    assert.match(await pasted(), /^curl /);
  });

  test('a decision can be undone, and the automation form works', async () => {
    const { page } = product;
    await product.go('/o/parapet/findings');
    await page.getByRole('row', { name: /Weak hash/ }).click();
    await page.keyboard.press('3');
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await page.getByText('Undone').waitFor();
    await product.go('/o/parapet/automations?at=new');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  });

  test('if the browser blocks every way of copying, an error is shown', async () => {
    const { page } = product;
    await page.evaluate('document.execCommand = () => false');
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await page.getByText('Copy failed').waitFor();
    assert.deepEqual([product.watched.outside, product.watched.complaints], [[], []]);
  });
});
