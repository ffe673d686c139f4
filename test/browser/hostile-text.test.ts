import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { ADMIN, adminSettings, launch, noBrowser, signIn, type Watched, watchedPage } from '#test/support/browser.ts';
import { HOSTILE_TEXTS } from '#test/support/hostile-text.ts';
import { Program, withDataFolder } from '#test/support/program.ts';

/** A scanner's report in which every text is hostile. */
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

describe('text that scanners and people hand in', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  /** A page that also notes whether anything of what it shows was run. */
  async function alarmed(baseUrl: string): Promise<Watched & { alarms: string[] }> {
    const watched = await watchedPage(browser, baseUrl);
    const alarms: string[] = [];
    watched.page.on('dialog', (dialog) => {
      alarms.push(dialog.message());
      void dialog.dismiss();
    });
    return { ...watched, alarms };
  }

  test('WEB-01 never runs: 300 payloads in every text of a report and in names, on every page that shows them', async () => {
    await withDataFolder(async (folder) => {
      const program = new Program(adminSettings(folder));
      const baseUrl = await program.ready();
      const send = async (method: string, path: string, token: string, body: string, type = 'application/json') => {
        const headers = { 'content-type': type, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
        const answer = await fetch(baseUrl + path, { method, headers, body });
        assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
        return (await answer.json()) as Record<string, unknown>;
      };
      const { accessToken } = await send('POST', '/api/auth/sessions', '', JSON.stringify(ADMIN));
      const token = String(accessToken);
      const base = '/api/v1/deployments/parapet';
      const project = '"><img src=x onerror=alert(1)>';
      const query = new URLSearchParams({ project, ref: '<svg onload=alert(1)>', commit: 'abcdef1234' });
      await send('POST', `${base}/imports?${query}`, token, hostileReport(HOSTILE_TEXTS), 'application/sarif+json');
      const named = HOSTILE_TEXTS.filter((text) => text.length <= 100 && !/[\t\u2028\u2029\u202e]/.test(text));
      for (const name of named.slice(0, 20)) {
        await send('POST', '/api/permissions/v2/deployments/parapet/teams', token, JSON.stringify({ team: { name } }));
        const wanted = { name, role: 'TOKEN_ROLE_READ_ONLY', webApi: true };
        await send('POST', '/api/tokens/v1/deployments/parapet/tokens', token, JSON.stringify(wanted));
      }
      const decision = { q: 'is:open', params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: named[0] } };
      await send('PATCH', '/api/agent/deployments/parapet/findings/v2', token, JSON.stringify(decision));
      const list = await send(
        'POST',
        '/api/agent/deployments/parapet/issues',
        token,
        '{"q":"is:reviewing","limit":300}',
      );
      const rows = list['issues'] as { issue: { id: string } }[];
      assert.equal(rows.length, HOSTILE_TEXTS.length);
      const { page, outside, complaints, alarms } = await alarmed(baseUrl);
      const home = '/o/parapet';
      await signIn(page, baseUrl, `${home}/findings?q=is:reviewing`);
      await page.getByRole('grid').waitFor();
      for (let step = 0; step < 30; step++) {
        await page.mouse.move(640, 500);
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
      const details = rows.filter((_, index) => index % 12 === 0).map(({ issue }) => `findings/${issue.id}`);
      for (const place of [...places, ...details]) {
        await page.goto(`${baseUrl}${home}/${place}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // The stream of events keeps the network busy for good, so the page is given time instead.
        await page.waitForTimeout(400);
      }
      assert.equal(await page.evaluate(() => (globalThis as { ran?: number }).ran), undefined);
      assert.deepEqual([alarms, outside, complaints], [[], [], []]);
      await program.stop();
    });
  });
});
