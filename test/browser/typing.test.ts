import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const hit: CheckerHit = { rule: 'weak-hash', title: 'Weak hash', path: 'a.js', lines: ['md5(x)'], match: 'md5' };

describe('keyboard shortcuts while typing, in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  before(async () => {
    product = await RunningApp.start();
    await product.import(sarifOf([hit]));
    await product.signIn('/o/parapet/findings');
  });
  after(() => product?.stop());

  const note = () => product.page.getByLabel('Note', { exact: true });
  const draft = () => product.page.getByLabel('Comment', { exact: true });
  const panel = () => product.page.getByRole('region', { name: /^Finding ISS-/ });
  const palette = () => product.page.getByPlaceholder(/^Go to, or find/);

  test('Ctrl K opens the palette from the filter, from a note and from a dialog, and restores the focus', async () => {
    const { page } = product;
    await page.getByRole('row').getByRole('link', { name: 'Weak hash' }).click();
    await panel().waitFor();
    await page.getByRole('button', { name: 'Ignore…' }).click();
    for (const field of [page.getByLabel('Filter', { exact: true }), note(), page.getByLabel('Comment (optional)')]) {
      await field.focus();
      await page.keyboard.press('Control+k');
      await palette().and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await palette().waitFor({ state: 'hidden' });
      await field.and(page.locator(':focus')).waitFor();
    }
    await page.getByRole('button', { name: 'Cancel' }).click();
    await product.go('/o/parapet/settings/tokens?preset=read');
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Control+k');
    await palette().fill('overview');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a dialog returns the focus to the element that opened it, even if it replaced another dialog', async () => {
    const { page } = product;
    const isOn = (name: string) => page.locator(':focus', { hasText: name }).waitFor();
    await product.go('/o/parapet/settings/tokens');
    const create = page.getByRole('main').getByRole('button', { name: 'Create', exact: true });
    await create.press('Enter');
    await page.getByLabel('Name').fill('dashboard');
    await page.keyboard.press('Escape');
    await isOn('Create');
    await create.press('Enter');
    await page.getByLabel('Name').fill('dashboard');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I have copied it' }).press('Enter');
    await isOn('Create');
  });

  test('Escape moves the focus from a comment to its panel, then closes the panel, and the text is kept', async () => {
    const { page } = product;
    await product.go('/o/parapet/findings');
    await page.getByRole('row').getByRole('link', { name: 'Weak hash' }).click();
    await draft().waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Half a thought');
    await page.keyboard.press('Escape');
    await panel().and(page.locator(':focus')).waitFor();
    assert.equal(await draft().inputValue(), 'Half a thought');
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await panel().waitFor();
    assert.equal(await draft().inputValue(), 'Half a thought');
    await page.keyboard.press('c');
    await page.keyboard.press('Control+Enter');
    await panel().getByText('Half a thought').and(page.locator(':not(textarea)')).waitFor();
    for (let turn = 0; turn < 3000 && (await draft().inputValue()) !== ''; turn++) await page.waitForTimeout(20);
    assert.equal(await draft().inputValue(), '');
  });

  test('typed letters trigger no shortcuts, and a comment is kept until it is cancelled', async () => {
    const { page } = product;
    const comment = page.getByLabel('Comment (optional)');
    await page.getByRole('button', { name: 'Ignore…' }).click();
    await comment.fill('');
    await comment.pressSequentially('g f 3 x z');
    assert.equal(await comment.inputValue(), 'g f 3 x z');
    await panel().getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row').getByRole('link', { name: 'Weak hash' }).click();
    assert.equal(await comment.inputValue(), 'g f 3 x z');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Ignore…' }).click();
    assert.equal(await comment.inputValue(), '');
    assert.deepEqual(product.watched.pageErrors, []);
  });

  test('the playground runs a rule while it is written, and marks lines of the code', async () => {
    const { page } = product;
    await product.go('/o/parapet/playground');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('1 match in').and(page.getByText('all tests pass')).waitFor();
    const marks = async () =>
      (await page.locator('.playground-gutter [data-mark]').allTextContents()).map((text) => text.trim());
    assert.deepEqual(await marks(), ['✓ 2', '✓ 6']);
    await page.getByLabel('Code', { exact: true }).fill('# ok: same-on-both-sides\nif total == total: pass\n');
    await result.getByText('1 of 1 tests fail').waitFor();
    assert.deepEqual(await marks(), ['✗ 2']);
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Saved the rule same-on-both-sides').waitFor();
    await page.getByLabel('Rule or pattern').fill('rules:\n  - id: a');
    await result.getByText('The rule has no pattern.').waitFor();
    await page.getByLabel('Rule or pattern').fill('total');
    await page.getByLabel('Language of the pattern').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).waitFor({ state: 'detached' });
  });

  test('the playground shows nothing to fill in if the server cannot run rules', async () => {
    const { page } = product;
    const reply = { isAvailable: false, version: '', sandbox: '', reason: 'semgrep is not installed' };
    await page.route('**/api/run', (route) => route.fulfill({ json: reply }));
    await page.reload();
    await page.getByRole('heading', { name: 'This server cannot run rules' }).waitFor();
    assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Save rule' }).count(), 0);
  });
});
