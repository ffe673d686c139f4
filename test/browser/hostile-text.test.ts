import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { HOSTILE_TEXTS } from '#test/support/browser/hostile-text.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { runsOf } from '#test/support/properties.ts';

/** A report of a scanner with hostile text in every field. */
function hostileReport(texts: readonly string[]): string {
  const rules = texts.map((text, index) => ({
    id: `rule-${index}-${text}`,
    name: text,
    shortDescription: { text },
    fullDescription: { text },
    help: { text, markdown: text },
    helpUri: `javascript:alert(${index})`,
    properties: { tags: [text, 'CWE-79'] },
  }));
  const results = texts.map((text, index) => ({
    ruleId: `rule-${index}-${text}`,
    ruleIndex: index,
    level: 'error',
    message: { text, markdown: text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/${index}/${encodeURIComponent(text)}.js` },
          region: { startLine: index + 1, snippet: { text } },
        },
      },
    ],
  }));
  const tool = { driver: { name: 'hostile <script>alert(1)</script>', rules } };
  return JSON.stringify({ version: '2.1.0', runs: [{ tool, results }] });
}

describe('text from scanners and users', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  const alarms: string[] = [];

  before(async () => {
    product = await RunningApp.start();
    product.page.on('dialog', (dialog) => {
      alarms.push(dialog.message());
      void dialog.dismiss();
    });
  });
  after(() => product?.stop());

  test('WEB-01 is never executed: 300 payloads in every text of a report, and some in names', async () => {
    const { page } = product;
    const project = '"><img src=x onerror=alert(1)>';
    const query = new URLSearchParams({ project, ref: '<svg onload=alert(1)>', commit: 'abcdef1234' });
    await product.call('POST', `/api/v1/deployments/parapet/imports?${query}`, hostileReport(HOSTILE_TEXTS));
    const named = HOSTILE_TEXTS.filter((text) => text.length <= 100 && !/[\t\u2028\u2029\u202e]/.test(text));
    for (const name of named.slice(0, 20)) {
      await product.call('POST', '/api/permissions/v2/deployments/parapet/teams', { team: { name } });
      const input = { name, role: 'TOKEN_ROLE_READ_ONLY', webApi: true };
      await product.call('POST', '/api/tokens/v1/deployments/parapet/tokens', input);
    }
    const base = '/api/agent/deployments/parapet';
    const params = { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: named[0] };
    await product.call('PATCH', `${base}/findings/v2`, { q: 'is:open', params });
    const list = await product.call('POST', `${base}/issues`, { q: 'is:reviewing', limit: 300 });
    const rows = list['issues'] as { issue: { id: string } }[];
    assert.equal(rows.length, HOSTILE_TEXTS.length);
    await product.signIn('/o/parapet/findings?q=is:reviewing');
    await page.getByRole('grid').waitFor();
    await page.mouse.move(640, 500);
    for (let step = 0; step < 30; step++) {
      await page.mouse.wheel(0, 1200);
      await page.waitForTimeout(30);
    }
    const places = [
      'projects',
      'inbox',
      'overview',
      'dependencies',
      'settings/teams',
      'settings/tokens',
      'settings/audit',
    ];
    // The list has shown all of them; these are opened one by one.
    const every = Math.ceil(rows.length / runsOf({ full: 50, quick: 6 }));
    const details = rows.filter((_, index) => index % every === 0).map(({ issue }) => `findings/${issue.id}`);
    for (const place of [...places, ...details]) {
      await product.go(`/o/parapet/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The event stream never ends, so the network never becomes idle. The page gets a fixed time instead.
      await page.waitForTimeout(300);
    }
    assert.equal(await page.evaluate('globalThis.ran'), undefined);
    assert.deepEqual([alarms, product.watched.foreignRequests, product.watched.pageErrors], [[], [], []]);
  });
});
