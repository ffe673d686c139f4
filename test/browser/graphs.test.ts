import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { appearancesAt, axeInAppearances } from '#test/support/browser/axe.ts';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

const RULES = ['acme.sql', 'acme.xss', 'acme.path'];

/** A report whose rules are set to block, so that pull requests with them start episodes. */
const reportOf = (rules: readonly string[]) =>
  JSON.stringify({
    version: '1.93.0',
    errors: [],
    paths: { scanned: rules.map((rule) => `src/${rule}.py`) },
    results: rules.map((rule) => ({
      check_id: rule,
      path: `src/${rule}.py`,
      start: { line: 3, col: 1, offset: 10 },
      end: { line: 3, col: 9, offset: 18 },
      extra: {
        message: `Found by ${rule}`,
        severity: 'ERROR',
        lines: `${rule}()`,
        fingerprint: rule,
        metadata: { 'dev.semgrep.actions': ['block'] },
      },
    })),
    skipped_rules: [],
  });

describe('reports, overview, policies and automations in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;

  const go = (path: string) => product.go(`/o/parapet/${path}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });

  async function passesAxe(): Promise<void> {
    const [first, ...others] = appearancesAt(0);
    assert.ok(first);
    assert.deepEqual(await axeInAppearances(page, [...others, first]), []);
  }

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    const imports = '/api/v1/deployments/parapet/imports?project=acme/web';
    await product.call('POST', `${imports}&ref=main&commit=1111111`, reportOf(['acme.old']));
    await product.call('POST', `${imports}&ref=refs/pull/7/merge&commit=2222222`, reportOf([...RULES, 'acme.old']));
    await product.signIn('/o/parapet/reports/guardrails?since=-30d');
  });

  after(() => product?.stop());

  test('the guardrails report shows its totals, and arrow keys move between the marks of its chart', async () => {
    await page.getByText('Findings per day').waitFor();
    const opened = page.locator('.number-figure', { hasText: 'Opened' }).locator('a');
    assert.equal(await opened.textContent(), String(RULES.length));
    assert.match(
      (await page.getByRole('img', { name: /Findings per day from/ }).getAttribute('aria-label')) ?? '',
      /3 in total/,
    );
    const marks = page.getByRole('group', { name: /Findings per day: values/ });
    await marks.locator('[tabindex="0"]').focus();
    const label = () => page.locator(':focus').getAttribute('aria-label');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    assert.match((await label()) ?? '', /\(partial\): Silenced 3$/);
    await page.keyboard.press('ArrowLeft');
    assert.match((await label()) ?? '', /Silenced 0$/);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/findings\?q=/);
    await page.goBack();
    await page.getByText('Findings per day').waitFor();
    assert.match(page.url(), /since=-30d/);
  });

  test('filters, buckets and the table view are in the URL, and a reload keeps them', async () => {
    await page.getByText('Week', { exact: true }).click();
    await page.waitForURL(/bucket=week/);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Secret' }).click();
    await page.waitForURL(/types=secret/);
    await page.getByText('Nothing in this range').waitFor();
    await page.getByRole('link', { name: 'Show all time' }).waitFor();
    await page.goBack();
    await button('View as table').click();
    await page.waitForURL(/view=table/);
    await page.reload();
    const row = page.getByRole('row', { name: /^All/ });
    await row.waitFor();
    assert.deepEqual(await row.locator('td').allTextContents(), ['0', '0', '0', '0', '3', '3']);
  });

  test('the figures can be exported as a file', async () => {
    await button('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Numbers as CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    const [head = '', ...rows] = text.trim().split('\r\n');
    assert.equal(head, 'since,until,fixed,open,ignored,provisionallyIgnored,silenced');
    assert.equal(rows.at(-1)?.split(',').at(-1), '3');
  });

  test('every count of the overview links to a list with that total', async () => {
    await go('overview');
    const figure = page.locator('.number-figure', { hasText: 'Opened' }).locator('a');
    const shown = Number(await figure.textContent());
    const q = new URL((await figure.getAttribute('href')) ?? '', product.baseUrl).searchParams.get('q');
    const { total } = await product.call('POST', '/api/agent/deployments/parapet/issue_facets', { q, keys: [] });
    assert.equal(Number(total), shown);
    assert.ok(shown > 0);
    await page.getByRole('img', { name: /^Open findings: / }).waitFor();
    await page.getByRole('img', { name: /^Findings opened and closed/ }).waitFor();
    await page.getByRole('link', { name: 'acme/web' }).first().waitFor();
  });

  test('changes to a ruleboard are collected, reviewed and sent as one request', async () => {
    await go('policies');
    await button('New ruleboard').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Web');
    await button('Create ruleboard').click();
    await page.waitForURL(/ruleboards\/web$/);
    await button('Add rules').click();
    await page.getByLabel('Find').fill('go.sql-injection');
    const offers = page.getByRole('dialog').getByRole('checkbox', { name: /^parapet\.go\.sql-injection/ });
    await offers.first().waitFor();
    const count = await offers.count();
    for (const offer of await offers.all()) await offer.check();
    await button(`Add ${count} rules`).click();
    await page.getByRole('radio', { name: /sql-injection-format: Block/ }).check();
    await button(`Review ${count} changes`).click();
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postData() ?? ''));
    await button(`Save ${count} changes`).click();
    await page.getByText(`Web: ${count} rules changed.`).waitFor();
    assert.equal(sent.length, 1);
    assert.match(sent[0] ?? '', /"rule-board-block","update_type":"add"/);
    await page.reload();
    assert.ok(await page.getByRole('radio', { name: /sql-injection-format: Block/ }).isChecked());
    await go('policies');
    await button('Delete Web').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'Web', exact: true }).waitFor({ state: 'detached' });
  });

  test('an automation can be created, deleted and restored', async () => {
    await go('automations');
    await button('Create this automation').click();
    await page
      .getByText(/^When a scan finishes and type is secret, .* then send an e-mail \(ada@example.com\)\.$/)
      .waitFor();
    await button('Create automation').click();
    const row = page.getByRole('listitem').filter({ hasText: 'Valid secrets on primary branches' });
    await row.waitFor();
    await row.getByText('Simulate', { exact: true }).click();
    await page.getByText(/records what it would do/).waitFor();
    assert.ok(await row.getByRole('radio', { name: 'Simulate' }).isChecked());
    await button('Delete Valid secrets on primary branches').click();
    await page.getByText('No automations yet').waitFor();
    await button(/^Undo/).click();
    await row.waitFor();
    await button('Edit Valid secrets on primary branches').click();
    await page.waitForURL(/at=\d+/);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'block the merge' }).click();
    await button('Save').click();
    await page.getByText('requires an action of type ACTION_TYPE_PR_COMMENT').first().waitFor();
  });

  test('an automation sends to a webhook, runs on existing findings, and its deliveries can be read', async () => {
    await go('settings/integrations?preset=webhook');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('SIEM');
    await dialog.getByLabel('URL').fill('https://siem.invalid/events');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'SIEM' }).waitFor();
    await page.getByText('Not used yet').waitFor();
    await go('automations?at=new');
    await dialog.getByLabel('Name').fill('Send to the SIEM');
    await page.getByRole('combobox', { name: 'Values of severity' }).click({ force: true });
    for (const name of ['high', 'medium', 'low']) await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'call a webhook', exact: true }).click();
    await page.getByRole('combobox', { name: 'Webhook' }).click();
    await page.getByRole('option', { name: 'SIEM' }).click();
    await page.getByText(/Matches \d+ existing findings?:/).waitFor();
    await dialog.getByText('Simulate', { exact: true }).click();
    await button('Create automation').click();
    await page.getByRole('link', { name: 'Send to the SIEM' }).click();
    await button(/^Run on existing \(\d+\)$/).click();
    await dialog.getByRole('button', { name: /^Run on \d+$/ }).click();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await page.getByRole('row', { name: /SIEM.*Would send/ }).waitFor();
    await button(/^Attempts and content/).click();
    await page.getByText('It has not been tried.').waitFor();
    const [worst] = await dialog.getByRole('link', { name: /^ISS-/ }).allTextContents();
    await page.keyboard.press('Escape');
    await page.getByLabel('Try on a finding').fill(worst ?? '');
    await button('Try').click();
    await page.getByText('It has fired for this finding').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('row', { name: /Run on existing findings/ }).waitFor();
  });

  test('ruleboards are migrated after a preview, and policies are changed after a review', async () => {
    await go('policies');
    await button('Preview the migration').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the rules that run and their modes are the same before and after').waitFor();
    await dialog.getByRole('button', { name: 'Migrate' }).click();
    await page.getByRole('tab', { name: 'Detection' }).waitFor();
    const code = page.getByRole('region', { name: 'Code' });
    await code.getByLabel('Disabled rules').fill('parapet.java.weak-cipher');
    await code.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('+ disabled: parapet.java.weak-cipher').waitFor();
    await passesAxe();
    await dialog.getByRole('button', { name: 'Apply 1 change' }).click();
    await page.getByText('Detection policy for code saved.').waitFor();
    await page.getByRole('tab', { name: 'Remediation' }).click();
    await button('Preview Send to the SIEM').click();
    await page.getByText('Matches no existing finding.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Observe' }).first().isChecked());
    await page.getByText(/^As code/).click();
    await passesAxe();
    await button('Review changes').click();
    await dialog.getByText('Nothing would change.').waitFor();
    await go('policies?tab=boards');
    await page.getByText('This deployment uses Unified Policies').waitFor();
    assert.ok(await button('New ruleboard').isDisabled());
  });

  test('no page calls another origin or violates the content security policy', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });
});
