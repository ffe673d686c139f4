import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const FILE = [
  'function find(req) {',
  '  const name = req.query.name;',
  '  const sql = text(name);',
  '  run(sql);',
  '}',
];
const HOSTILE = 'Text of `req` reaches a query: <img src=x onerror=alert(1)> [guide](https://example.com/sql)';

const injection: CheckerHit = {
  rule: 'sql-injection',
  title: 'SQL built from a request',
  path: 'src/users.js',
  lines: FILE,
  match: 'run(sql)',
  flow: ['req.query', 'const sql'],
  message: HOSTILE,
  fix: 'run(sql, [name]);',
  score: 9.5,
};
const hash = (file: string): CheckerHit => ({
  rule: 'weak-hash',
  title: 'Weak hash',
  path: `src/${file}.js`,
  lines: ['', '', 'md5(x)'],
  match: 'md5',
});

describe('a finding in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  const ids: Record<string, string> = {};

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    await product.import(sarifOf([injection, hash('a'), hash('b')]));
    const { issues } = await product.call('POST', '/api/agent/deployments/1/issues');
    for (const { issue } of issues as { issue: { id: string; filePath: string } }[]) ids[issue.filePath] = issue.id;
    await product.signIn(finding('src/users.js'));
  });

  after(() => product?.stop());

  const finding = (file: string, search = '') => `/o/parapet/findings/${ids[file]}${search}`;
  const stateIs = (state: string) =>
    page.getByRole('region', { name: 'Decision' }).getByText(state, { exact: true }).first().waitFor();

  test('shows the message, location, code and fix, and executes none of it (WEB-01)', async () => {
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await page.getByRole('heading', { name: 'SQL built from a request' }).waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByRole('link', { name: 'guide' }).waitFor();
    await page.locator('mark[data-line="4"]', { hasText: 'run(sql);' }).waitFor();
    await page.locator('ins', { hasText: 'run(sql, [name]);' }).waitFor();
    await page.getByRole('link', { name: '1 open' }).waitFor();
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors, dialogs], [[], [], 0]);
  });

  test('can be triaged with keys and with the form, and each decision can be undone', async () => {
    await product.go(finding('src/users.js', '?tab=history'));
    await stateIs('Open');
    await page.keyboard.press('3');
    await page.getByText('To fix', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Undo: To fix' }).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Opened again').waitFor();
    await page.getByRole('button', { name: 'Ignore…' }).click();
    await page.getByRole('radio', { name: 'Acceptable risk' }).check();
    await page.getByLabel('Comment (optional)').fill('Only used by **tests**.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await stateIs('Ignored');
    await page.getByRole('region', { name: 'Decision' }).getByText('Acceptable risk').waitFor();
    await page.getByRole('button', { name: 'Undo: Ignored' }).click();
    await stateIs('Open');
  });

  test('stores a note, a comment that its author edits and deletes, and the assignee', async () => {
    await product.go(finding('src/b.js', '?tab=history'));
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.getByLabel('Note', { exact: true }).fill('Ask Grace first.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('Note changed').waitFor();
    await page.getByText('Ask Grace first.').first().waitFor();
    await page.getByRole('heading', { name: 'Activity' }).click();
    await page.keyboard.press('c');
    await page.keyboard.type('Is it used?');
    await page.keyboard.press('ControlOrMeta+Enter');
    const comments = page.locator('.finding-comment');
    await comments.getByText('Is it used?').waitFor();
    await comments.getByRole('button', { name: 'Edit' }).click();
    await comments.getByLabel('Comment').fill('Is it still used?');
    await page.keyboard.press('ControlOrMeta+Enter');
    await comments.getByText(', edited').waitFor();
    await comments.getByRole('button', { name: 'Delete' }).click();
    await comments.waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await page.getByText(/^Assigned to you/).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('option', { name: 'Nobody' }).click();
    await page.getByText('Assigned to nobody', { exact: true }).first().waitFor();
  });

  test('shows each step of the data flow, and a reload restores it', async () => {
    await product.go(finding('src/users.js'));
    await page.getByRole('tab', { name: 'Data flow' }).click();
    await page.getByText('Sink (3 of 3)').waitFor();
    await page.keyboard.press('[');
    await page.getByText('Step (2 of 3)').waitFor();
    await page.reload();
    await page.getByText('Step (2 of 3)').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
  });

  test('links to the next and previous finding of the list it was opened from', async () => {
    await product.go(finding('src/a.js', '?q=rule:weak-hash'));
    const neighbor = page.getByRole('button', { name: /^(Next|Previous)$/ }).and(page.locator(':enabled'));
    await neighbor.click();
    await page.waitForURL(`**${finding('src/b.js')}?q=rule:weak-hash`);
    await page.getByText('src/b.js:3').first().waitFor();
    await page.goBack();
    await page.getByText('src/a.js:3').first().waitFor();
  });

  test('opens in a panel beside the list, takes the focus, and returns it on close', async () => {
    await product.go('/o/parapet/findings?q=is:open');
    await page.getByText('SQL built from a request').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: /^Finding ISS-/ });
    await panel.getByRole('heading', { name: 'Details' }).waitFor();
    await page.reload();
    await panel.getByRole('heading', { name: 'Details' }).waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await panel.waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /at=/);
  });
});
