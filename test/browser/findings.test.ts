import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

const RULES = [
  { id: 'sql', name: 'SQL injection', severity: '9.1', cwe: 89 },
  { id: 'xss', name: 'Cross-site scripting', severity: '7.5', cwe: 79 },
  { id: 'hash', name: 'Weak hash', severity: '2.0', cwe: 328 },
] as const;

/** A report with the same number of findings for each rule. Its texts are markup that must be shown as text. */
const reportOf = (each: number, folder: string) => ({
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'checker',
          rules: RULES.map(({ id, name, severity, cwe }) => ({
            id,
            name,
            shortDescription: { text: name },
            properties: { 'security-severity': severity, tags: [`external/cwe/cwe-${cwe}`] },
          })),
        },
      },
      results: RULES.flatMap(({ id, name }) =>
        Array.from({ length: each }, (_, index) => ({
          ruleId: id,
          message: { text: `${name} <img src=x onerror=alert(1)>` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: `${folder}/${id}-${index}.ts` },
                region: { startLine: index + 1, snippet: { text: `${id}(${index})` } },
              },
            },
          ],
        })),
      ),
    },
  ],
});

describe('the findings list in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;

  const upload = (project: string, each: number) =>
    product.call('POST', `/api/v1/deployments/parapet/imports?project=${project}&ref=main`, reportOf(each, 'src'));
  const open = async (search = '') => {
    await product.go(`/o/parapet/findings${search}`);
    await page.getByRole('grid').or(page.getByRole('treegrid')).or(page.locator('.state')).first().waitFor();
  };
  const lines = () => page.locator('.findings-line[aria-selected]');
  const goDown = async () => {
    await page.keyboard.press('j');
    await page.locator('.findings-line[data-active="true"]').waitFor();
  };
  const totalIs = (count: string) => page.locator('.findings-total', { hasText: new RegExp(`^${count}$`) }).waitFor();
  const q = () => new URL(page.url()).searchParams.get('q');

  before(async () => {
    product = await RunningApp.start({ context: { acceptDownloads: true } });
    ({ page } = product);
    await product.signIn('/o/parapet/findings');
  });
  after(() => product?.stop());

  test('an empty list explains how to upload a report', async () => {
    await page.getByRole('heading', { name: 'No findings yet' }).waitFor();
    await page.getByText(/curl -X POST/).waitFor();
    await upload('acme/web', 40);
    await upload('acme/api', 20);
  });

  test('scrolling loads further pages, and only visible rows are in the DOM', async () => {
    await open();
    await totalIs('180');
    const grid = page.getByRole('grid', { name: 'Findings' });
    assert.equal(await grid.getAttribute('aria-rowcount'), '181');
    await grid.focus();
    const last = page.locator('[aria-rowindex="181"]');
    for (let round = 0; round < 100 && (await last.count()) === 0; round++) {
      await page.keyboard.press('End');
      await page.waitForTimeout(50);
    }
    await last.waitFor();
    assert.ok((await lines().count()) < 60);
    assert.equal(await page.locator('img[src="x"]').count(), 0);
  });

  test('a printed list has all loaded rows and their number', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.getByText('180 findings with is:open.').waitFor();
    assert.equal(await lines().count(), 180);
    await page.emulateMedia({ media: null });
    await page.getByText('180 findings with is:open.').waitFor({ state: 'hidden' });
    assert.ok((await lines().count()) < 60);
  });

  test('a filter has completion, is applied with Enter, and is restored by reload and back', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('is:open project:acme/a');
    await page.getByRole('option', { name: /acme\/api\s*60/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(q(), null);
    await page.keyboard.type('severty:high');
    await page.keyboard.press('Enter');
    assert.equal(q(), null);
    await page.getByRole('button', { name: 'Use severity' }).click();
    await page.keyboard.press('Enter');
    await totalIs('20');
    assert.equal(q(), 'is:open project:acme/api severity:high');
    await page.reload();
    await totalIs('20');
    await page.getByRole('button', { name: 'Remove severity:high' }).click();
    await totalIs('60');
    await page.goBack();
    await totalIs('20');
    assert.equal(await page.getByRole('combobox', { name: 'Filter' }).inputValue(), q());
  });

  test('a facet edits the filter, and each count equals the total of the list it links to', async () => {
    await open();
    await page.getByRole('checkbox', { name: /^Critical\s*60$/ }).check();
    await totalIs('60');
    assert.equal(q(), 'is:open severity:critical');
    await page.getByRole('navigation', { name: 'States' }).getByRole('link', { name: 'Ignored 0' }).click();
    await totalIs('0');
    await page.getByRole('button', { name: /Drop is:ignored → 60 results/ }).click();
    await totalIs('60');
  });

  test('three keys triage a finding, the counts update, and z undoes it', async () => {
    await open();
    const states = page.getByRole('navigation', { name: 'States' });
    await states.getByRole('link', { name: 'Open 180' }).waitFor();
    await goDown();
    await page.keyboard.press('i');
    await page.keyboard.press('f');
    await lines().first().getByText('Ignored').waitFor();
    await states.getByRole('link', { name: 'Ignored 1' }).waitFor();
    await page.getByText(/ISS-\d+: Ignored \(false positive\)/).waitFor();
    await page.keyboard.press('z');
    await states.getByRole('link', { name: 'Open 180' }).waitFor();
    await lines().first().getByText('Open').waitFor();
  });

  test('a decision that the server rejects is reverted, with the reason', async () => {
    await open();
    await goDown();
    await page.route('**/findings/v2', (route) =>
      route.fulfill({ status: 403, json: { title: 'Refused', detail: 'You may not decide here.', code: 'NO' } }),
    );
    const reason = page
      .locator('.findings-line[data-active="true"]')
      .getByText('not changed: You may not decide here.');
    await page.keyboard.press('2');
    const isShown = await reason.waitFor().then(
      () => true,
      () => false,
    );
    await page.unroute('**/findings/v2');
    assert.ok(isShown);
  });

  test('a bulk change of all matching findings shows a preview and can be undone as one', async () => {
    await open('?q=severity:low');
    await totalIs('60');
    await goDown();
    await page.keyboard.press('Control+a');
    await page.getByText('50 selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText('All 60 that match are selected').waitFor();
    await page.keyboard.press('3');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('40 in acme/web').waitFor();
    await dialog.getByRole('button', { name: 'Change 60 findings' }).click();
    const states = page.getByRole('navigation', { name: 'States' });
    await states.getByRole('link', { name: 'To fix 60' }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).last().click();
    await states.getByRole('link', { name: 'To fix 0' }).waitFor();
  });

  test('Enter opens the finding beside the list, and the URL restores it', async () => {
    await open();
    await goDown();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: /Finding ISS-/ });
    await panel.waitFor();
    const at = new URL(page.url()).searchParams.get('at');
    await page.reload();
    await page.getByRole('region', { name: `Finding ISS-${at}` }).waitFor();
    await lines().first().waitFor();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.searchParams.get('at') !== at);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test('groups show counts and severities, expand to their findings, and are stored in the URL', async () => {
    await open('?group=rule');
    await page.getByRole('treegrid').waitFor();
    await goDown();
    await page.keyboard.press('Enter');
    await lines().first().waitFor();
    assert.equal(await page.locator('.findings-group').first().getAttribute('aria-expanded'), 'true');
    await page.reload();
    await lines().first().waitFor();
    await page.locator('.findings-group a').first().click();
    await totalIs('60');
  });

  test('an export has exactly the rows and columns of the view', async () => {
    await open('?q=severity:high&cols=severity,project');
    await totalIs('60');
    await page.keyboard.press('e');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const [head, ...rows] = Buffer.concat(chunks).toString('utf8').trim().split(/\r?\n/);
    assert.equal(head?.replaceAll('"', ''), 'id,title,severity,repository,message,url');
    assert.equal(rows.length, 60);
  });

  test('new findings are inserted only on request', async () => {
    await open('?q=project:acme/late');
    await page.getByRole('heading', { name: 'Nothing matches the filter' }).waitFor();
    const listening = page.waitForResponse(/\/api\/events\//);
    await open();
    await listening;
    await totalIs('180');
    await upload('acme/late', 2);
    await page.getByRole('button', { name: '6 new' }).click();
    await lines().first().getByText('acme/late').waitFor();
  });

  test('workflow issues are in the same list, and bulk triage and undo cover both kinds', async () => {
    await product.call('POST', '/api/issues/parapet/report', {
      workflowId: 'review',
      issues: [{ identity: 'one', title: 'A tool is called without approval', severity: 'SEVERITY_CRITICAL' }],
    });
    await open('?q=is:open severity:critical&sort=severity');
    const line = lines().filter({ hasText: 'A tool is called without approval' });
    await line.waitFor();
    assert.ok((await lines().count()) > 1);
    await page.getByRole('checkbox', { name: 'Workflow 1' }).check();
    await page.waitForURL(/type:workflow/);
    await lines().nth(1).waitFor({ state: 'detached' });
    await page.goBack();
    await lines().nth(1).waitFor();
    const tab = await page.getByRole('link', { name: /^To fix \d/ }).textContent();
    const before = Number(/\d+/.exec(tab ?? '')?.[0]);
    await lines().nth(0).getByRole('checkbox').check();
    await lines().nth(1).getByRole('checkbox').check();
    await page.keyboard.press('3');
    await page.getByRole('link', { name: `To fix ${before + 2}` }).waitFor();
    await page.keyboard.press('z');
    await page.getByRole('link', { name: `To fix ${before}` }).waitFor();
  });

  test('a workflow issue has its own panel and page', async () => {
    await open('?q=is:open severity:critical&sort=severity');
    const line = lines().filter({ hasText: 'A tool is called without approval' });
    await line.getByRole('link').click();
    await page.waitForURL(/at=WF-\d+/);
    await page.getByRole('region', { name: /^Finding WF-/ }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Open as a page' }).click();
    await page.getByRole('heading', { name: 'A tool is called without approval', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Ignore…' }).click();
    await page.getByRole('button', { name: 'No time' }).click();
    await page.getByText(/^WF-\d+: Ignored \(no time\)/).waitFor();
    await page.keyboard.press('z');
    await page.getByRole('button', { name: 'Ignore…' }).waitFor();
    const neighbors = ['Next', 'Previous'].map((name) => page.getByRole('button', { name, exact: true }));
    const enabled = await Promise.all(neighbors.map((one) => one.isEnabled()));
    await neighbors[enabled[0] ? 0 : 1]?.click();
    await page.waitForURL(/findings\/\d+/);
  });

  test('pressing j repaints only the row that loses the focus and the row that gets it', async () => {
    await open();
    await lines().first().waitFor();
    await goDown();
    const touched = await page.evaluate<string[]>(`(async () => {
      const ids = new Set();
      const watch = new MutationObserver((changes) => {
        for (const { target } of changes) ids.add(target.closest('.findings-line')?.id ?? target.className);
      });
      watch.observe(document.getElementById('main'), { attributes: true, childList: true, subtree: true });
      dispatchEvent(new KeyboardEvent('keydown', { key: 'j', code: 'KeyJ', bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      watch.disconnect();
      return [...ids];
    })()`);
    assert.equal(touched.filter((id) => id.startsWith('finding-')).length, 2, touched.join());
    assert.ok(touched.length <= 3, touched.join());
  });

  test('no page calls another origin or violates the content security policy', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });
});
