import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ADMIN, browserSkipReason, type WatchedPage } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';

describe('standalone pages in a real browser', { skip: browserSkipReason }, () => {
  let app: RunningApp;
  let baseUrl: string;
  let watched: WatchedPage;

  before(async () => {
    app = await RunningApp.start();
    ({ baseUrl } = app);
  });
  beforeEach(async () => {
    watched = await app.newPage();
  });
  afterEach(() => watched.page.context().close());
  after(() => app?.stop());

  test('an invitation link lets a second person join', async () => {
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
      const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const { accessToken } = await post('/api/auth/sessions', ADMIN);
    const invitation = { emails: ['grace@example.com'] };
    const { message } = await post('/api/onboarding/deployments/parapet/invite_members', invitation, accessToken);
    const { page, foreignRequests, pageErrors } = watched;
    await page.goto(/\S+\/invitation#t=\S+/.exec(message ?? '')?.[0] ?? '');
    assert.doesNotMatch(page.url(), /#t=/);
    await page.getByLabel('Your name').fill('Grace');
    await page.getByLabel('Password', { exact: true }).fill('another long sentence');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('You are signed in as grace@example.com').waitFor();
    assert.deepEqual([foreignRequests, pageErrors], [[], []]);
  });

  test('a link of the operator sets a new password once, and signs in', async () => {
    const main = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
    const env = { ...process.env, ...app.place, PARAPET_BASE_URL: baseUrl };
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'admin', 'login-link', ADMIN.email], { env });
    const link = /\S+\/reset-password#t=\S+/.exec(stdout)?.[0] ?? '';
    const { page, foreignRequests, pageErrors } = watched;
    const set = async (password: string) => {
      await page.goto(link);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set the password' }).click();
    };
    await set('short');
    await page.locator('#password-error:not(:empty)').waitFor();
    await page.getByLabel('New password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText(`You are signed in as ${ADMIN.email}`).waitFor();
    assert.doesNotMatch(page.url(), /#t=/);
    await page.goto('about:blank');
    await set('another long sentence');
    await page.getByText('already used').waitFor();
    assert.deepEqual([foreignRequests, pageErrors], [[], []]);
  });

  test('a command line is logged in only after a signed-in user confirms', async () => {
    const key = randomUUID();
    const collect = () =>
      fetch(`${baseUrl}/api/agent/tokens/requests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token_request_key: key }),
      });
    const { page, foreignRequests, pageErrors } = watched;
    await page.setViewportSize({ width: 360, height: 700 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${baseUrl}/login?cli-token=${key}&docker=False&gha=False`);
    assert.doesNotMatch(page.url(), /cli-token/);
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in as ada@example.com').waitFor();
    assert.equal((await collect()).status, 404);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    await page.getByRole('button', { name: 'Yes, log it in' }).click();
    await page.getByText('Go back to your terminal').waitFor();
    const { token } = (await (await collect()).json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${baseUrl}/api/agent/deployments/current`, { headers })).status, 200);
    assert.deepEqual([foreignRequests, pageErrors], [[], []]);
  });

  test('the API reference finds an operation, sends a request, and calls no other origin', async () => {
    const { page, foreignRequests, pageErrors } = watched;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${baseUrl}/docs/api`);
    await page.keyboard.press('/');
    await page.keyboard.type('health-check');
    const operation = page.locator('details', { hasText: '/api/health-check' }).first();
    await operation.locator('summary').first().click();
    await operation
      .getByText(/try it/i)
      .first()
      .click();
    await operation.getByRole('button', { name: /send/i }).click();
    await operation
      .getByText(/"healthy"/)
      .first()
      .waitFor();
    assert.deepEqual([foreignRequests, pageErrors], [[], []]);
  });
});
