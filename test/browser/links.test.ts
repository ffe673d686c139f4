import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

/** A number on a page, with the filter of its link. */
interface Linked {
  text: string;
  value: number;
  q: string;
}

/** Runs in the page: links to lists of findings, with their visible and their accessible text. */
function linksOf(): { text: string; href: string }[] {
  interface Anchor {
    href: string;
    textContent: string;
    getAttribute: (name: string) => string | null;
  }
  const { document } = globalThis as unknown as { document: { querySelectorAll: (path: string) => Iterable<Anchor> } };
  return [...document.querySelectorAll('main a[href*="/findings?q="]')].map((link) => ({
    text: link.getAttribute('aria-label') ?? link.textContent,
    href: link.href,
  }));
}

/** The number in the text of a link. The label of a chart mark begins with a date, so its last number counts. */
function numberIn(text: string): number | undefined {
  const told = /([\d,]+) findings?$/.exec(text) ?? /: .* ([\d,]+)$/.exec(text) ?? /^(?:Show )?([\d,]+)/.exec(text);
  return told ? Number(told[1]?.replaceAll(',', '')) : undefined;
}

const AT_ONCE = 8;

/** A report whose rule is set to block, so that a pull request with it starts an episode. */
const blocking = (isThere: boolean) => ({
  version: '1.93.0',
  errors: [],
  paths: { scanned: ['src/a.py'] },
  skipped_rules: [],
  results: isThere
    ? [
        {
          check_id: 'acme.again',
          path: 'src/a.py',
          start: { line: 3, col: 1, offset: 10 },
          end: { line: 3, col: 9, offset: 18 },
          extra: {
            message: 'Found again',
            severity: 'ERROR',
            lines: 'again()',
            fingerprint: 'again',
            metadata: { 'dev.semgrep.actions': ['block'] },
          },
        },
      ]
    : [],
});

describe('every linked number of the demo equals the total of its list', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  let deployment = '';
  const SLUG = 'demo';

  const totals = new Map<string, number>();
  const totalOf = async (q: string) => {
    const known = totals.get(q);
    if (known !== undefined) return known;
    const reply = await product.call('POST', `/api/agent/deployments/${deployment}/issue_facets`, {
      q,
      keys: [],
      includeWorkflows: true,
    });
    assert.equal(reply['totalIsExact'], true);
    totals.set(q, Number(reply['total']));
    return Number(reply['total']);
  };

  /** Opens a page, checks each linked number, and returns their filters. */
  async function walk(path: string, ready: string): Promise<Linked[]> {
    await product.go(`/o/${SLUG}/${path}`);
    await page.locator(ready).first().waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const links = (await page.evaluate(linksOf)).flatMap(({ text, href }) => {
      const [value, q] = [numberIn(text.trim()), new URL(href).searchParams.get('q')];
      return value === undefined || q === null ? [] : [{ text, value, q }];
    });
    for (let index = 0; index < links.length; index += AT_ONCE)
      await Promise.all(
        links.slice(index, index + AT_ONCE).map(async ({ text, value, q }) => {
          assert.equal(await totalOf(q), value, `${path}: ${text} leads to ${q}`);
        }),
      );
    return links;
  }

  before(async () => {
    product = await RunningApp.start();
    ({ page } = product);
    deployment = String((await product.call('POST', '/api/demo/v1/deployments'))['deploymentId']);
    while ((await product.call('GET', `/api/demo/v1/deployments/${deployment}`))['state'] !== 'READY') await pause(500);
    await product.signIn(`/o/${SLUG}/overview`);
  });
  after(() => product?.stop());

  test('the overview: its figures, its lists and every mark of its charts', async () => {
    const marks = await walk('overview', '.chart-mark');
    for (const key of ['backlog:', 'opened:', 'fixed:', 'ignored:'])
      assert.ok(
        marks.some(({ q }) => q.includes(key)),
        key,
      );
    const past = await walk('overview?view=table&since=-150d&until=-30d&q=severity:>=high', '.chart-table td a');
    assert.ok(past.length > 20);
  });

  test('the guardrails report: its totals and every mark of every class, with filters and for past ranges', async () => {
    const marks = await walk('reports/guardrails', '.chart-mark');
    for (const fate of ['silenced', 'open', 'fixed', 'ignored', 'provisional'])
      assert.ok(
        marks.some(({ q }) => q.includes(`guardrail:${fate}`)),
        fate,
      );
    for (const query of ['since=-30d&severities=high,critical', 'view=table&since=-160d&until=-20d&bucket=month'])
      assert.ok((await walk(`reports/guardrails?${query}`, '.number-figure a')).length > 2, query);
    // Every number of the last table, including the totals.
    const unlinked = page.locator('.chart-table td:not(:has(a))').filter({ hasNotText: /^0$/ });
    assert.deepEqual([await unlinked.count(), await page.locator('.chart-table tfoot a').count()], [0, 6]);
  });

  test('repeated episodes show the number of distinct findings and link to those', async () => {
    const imports = `/api/v1/deployments/${deployment}/imports?project=acme/again`;
    await product.call('POST', `${imports}&ref=main&commit=1111111`, blocking(false));
    for (const [commit, isThere] of [2, 3, 4].map((digit) => [String(digit).repeat(7), digit !== 3] as const))
      await product.call('POST', `${imports}&ref=refs/pull/7/merge&commit=${commit}`, blocking(isThere));
    const textsOf = async (view: string) =>
      (await walk(`reports/guardrails?projects=acme/again&view=${view}`, '.number-figure a')).map(({ text }) =>
        text.replace(/^.*: /, ''),
      );
    const within = 'in 1 finding';
    assert.deepEqual(await textsOf('table'), [within, '0', within, within, within, within]);
    assert.deepEqual(await textsOf('chart'), [within, '0', `Silenced 2, ${within}`]);
    await page.locator('.number-figure', { hasText: 'Opened2in 1 finding' }).waitFor();
  });

  test('the inbox links to the list of findings to review', async () => {
    const waiting = async () =>
      (await walk('inbox', '.inbox-as-list a')).find(({ q }) => q.includes('is:unseen'))?.value ?? 0;
    const shown = await waiting();
    await page
      .getByRole('button', { name: /^Done with ISS-/ })
      .first()
      .click();
    await page.getByText(`Show ${(shown - 1).toLocaleString('en')} as a list`).waitFor();
    totals.clear();
    assert.equal(await waiting(), shown - 1);
  });

  test('the inbox links to lists of pending approvals and of decisions that expire soon', async () => {
    for (const [tab, q] of [
      ['approvals', 'exception:requested'],
      ['expiring', 'expires:<14d'],
    ]) {
      const [link] = await walk(`inbox?tab=${tab}`, '.inbox-as-list a');
      assert.ok(link && link.value > 0 && link.q.includes(q ?? ''), tab);
    }
    // A tab counts everything it shows. Besides decisions it has tokens, which are in no list of findings.
    const rows = await page.locator('.inbox-row').count();
    assert.equal(await page.locator('[data-tab="expiring"] .inbox-count').textContent(), String(rows));
  });

  test('projects: the counts of the list, and of each project by severity', async () => {
    assert.ok((await walk('projects', '.projects-open a')).length > 5);
    const projects = await page
      .locator('main a[href*="/projects/"]')
      .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
    for (const path of projects.slice(0, 2))
      assert.equal((await walk(path.replace(`/o/${SLUG}/`, ''), '.projects-number strong:not(:text("…"))')).length, 5);
  });

  test('ruleboards: the number of open findings of each rule', async () => {
    assert.ok((await walk('policies/ruleboards/global-policy', '.board-rules td a')).length > 0);
  });

  test('dependencies: the number of findings of a package', async () => {
    await walk('dependencies', 'main table, main ul');
  });

  test('the counts of groups and facets equal the totals of their lists', async () => {
    const base = `/api/agent/deployments/${deployment}`;
    for (const q of ['is:open', 'raised:>=2026-01-01', 'backlog:2026-10-01', 'expires:<14d']) {
      for (const groupBy of ['RULE', 'PROJECT', 'PATH', 'CWE', 'DEPENDENCY']) {
        const asked = { q, groupBy: `GROUP_BY_${groupBy}`, limit: 3, includeWorkflows: true };
        const { groups } = await product.call('POST', `${base}/issue_groups`, asked);
        for (const group of groups as { q: string; count: string }[])
          assert.equal(await totalOf(group.q), Number(group.count), group.q);
      }
      const { facets } = await product.call('POST', `${base}/issue_facets`, { q, includeWorkflows: true });
      for (const { key, values } of facets as { key: string; values: { value: string; count: string }[] }[])
        for (const { value, count } of values.slice(0, 3)) {
          const rest = q.startsWith(`${key}:`) ? '' : q;
          assert.equal(await totalOf(`${rest} ${key}:${value}`.trim()), Number(count), `${q} ${key}:${value}`);
        }
    }
  });
});
