import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ADMIN_SETTINGS, browserSkipReason, signIn } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { type CheckerHit, sarifOf } from '#test/support/reports/sarif.ts';

const GRACE = { name: 'Grace', email: 'grace@example.com', password: 'another long sentence' };
const FILES = 120;

const hit = (_: unknown, index: number): CheckerHit => ({
  rule: 'weak-hash',
  title: `Weak hash ${index}`,
  path: `src/${index}.js`,
  lines: ['', `md5(${index})`, ''],
  match: 'md5',
});

describe('failures in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  before(async () => {
    product = await RunningApp.start({ settings: { ...ADMIN_SETTINGS, PARAPET_DEPLOYMENTS_PER_PERSON: '1' } });
    await product.import(sarifOf(Array.from({ length: FILES }, hit)));
    await product.member(GRACE);
    await product.signIn('/o/parapet/findings');
  });
  after(() => product?.stop());

  /** Triages all matching findings, with mocked replies about the progress. */
  async function changeAll(key: string, answer: 'failed' | 'none'): Promise<void> {
    const { page } = product;
    await page.route('**/batches/*', (route) =>
      answer === 'none'
        ? route.abort()
        : route.fulfill({ json: { state: 'FAILED', done: 50, skipped: 0, total: FILES, error: 'gone' } }),
    );
    await page
      .getByRole('row', { name: /Weak hash/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+a');
    await page.keyboard.press(key);
    await page.getByRole('button', { name: `Change ${FILES} findings` }).click();
  }

  test('a bulk change that the server aborted is reported and can be undone', async () => {
    const { page } = product;
    await changeAll('2', 'failed');
    await page.getByText(`The server stopped after 50 of ${FILES} findings: Reviewing`).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).first().waitFor();
    await page.unrouteAll();
  });

  test('a bulk change whose progress is lost is reported', async () => {
    const { page } = product;
    await product.go('/o/parapet/findings?q=is:open,reviewing');
    await changeAll('3', 'none');
    await page.getByText(/Lost contact with the server/).waitFor();
    await page.unrouteAll();
  });

  test('pages recover by themselves after the server was away', async () => {
    const { page } = product;
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: {} }));
    for (const address of ['/o/parapet/overview', '/o/parapet/projects']) {
      // The first is loaded anew and fails before the page is there, the second is a click.
      if (address.endsWith('overview')) await product.go(address);
      else await page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
      await page.getByRole('alert').first().waitFor();
    }
    await page.unrouteAll();
    await page.getByRole('link', { name: 'acme/web' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  test('an address with damaged parameters opens the page, and the notice names them', async () => {
    const { page } = product;
    const pages = ['inbox', 'findings', 'overview', 'reports/guardrails', 'policies', 'automations'];
    for (const [index, path] of pages.entries()) {
      const damage = `group=xxx&tab=zzz&since=never&constructor=1&__proto__=2&n${index}=1`;
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/o/parapet/${path}?${damage}`)})`);
      await page.getByText(new RegExp(`Ignored unknown or invalid parameters.*n${index}`)).waitFor({ timeout: 30_000 });
      await page.locator('h1:visible').first().waitFor();
      assert.equal(await page.getByText('PAGE_FAILED').count(), 0, path);
      assert.doesNotMatch(page.url(), /xxx|never|constructor|__proto__/, path);
    }
    assert.deepEqual(product.watched.pageErrors, []);
  });

  test('signing out clears all tabs, and the next user sees nothing of the previous one', async () => {
    const { page } = product;
    const other = await page.context().newPage();
    await product.go('/o/parapet/settings/system');
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    await other.goto(`${product.baseUrl}/o/parapet/inbox`);
    await other.locator('.rail-account').click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.waitForURL(/\/sign-in/);
    await page.waitForURL(/\/sign-in\?next=/);
    await signIn(page, product.baseUrl, '/o/parapet/settings/system');
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    await signIn(other, product.baseUrl, '/o/parapet/inbox', GRACE);
    await page.locator('.rail-account', { hasText: 'Grace' }).waitFor();
    assert.equal(await page.getByText('ada@example.com').count(), 0);
    assert.deepEqual(product.watched.pageErrors, []);
    await other.close();
  });

  test('a user who was removed from the only organization can create a new one', async () => {
    const { page } = product;
    const { users } = await product.call('GET', '/api/agent/deployments/parapet/users');
    const grace = (users as { id: string; email: string }[]).find(({ email }) => email === GRACE.email);
    await product.call('DELETE', `/api/agent/deployments/parapet/users/${grace?.id}?keepSessions=true`);
    await product.go('/');
    await page.getByRole('heading', { name: 'You are not in an organization yet' }).waitFor();
    await page.getByLabel('Organization').fill('Hopper');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.waitForURL(/\/o\/hopper\/inbox/);
  });
});
