import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Program, withDataFolder } from '#test/support/program.ts';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = BROWSERS.find((path) => existsSync(path));
const skip = executablePath === undefined && 'no Chromium on this machine: install Debian’s package chromium';

/** Keeps the browser from calling its maker, so that each request it makes is one that a page asked for. */
const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe('the pages in a real browser', { skip }, () => {
  let browser: Browser;

  before(async () => {
    browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ARGS });
  });
  after(() => browser?.close());

  /** A page that notes each request to another origin and each complaint of the console. */
  async function open(baseUrl: string): Promise<{ page: Page; outside: string[]; complaints: string[] }> {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const outside: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(baseUrl)) outside.push(request.url());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
    });
    return { page, outside, complaints };
  }

  test('the printed link leads through the set-up to an API token that works', async () => {
    await withDataFolder(async (folder) => {
      const program = new Program({ PARAPET_DATA_DIR: folder });
      const baseUrl = await program.ready();
      const { page, outside, complaints } = await open(baseUrl);
      await page.goto(/\S+\/setup#t=\S+/.exec(program.output)?.[0] ?? '');
      assert.doesNotMatch(page.url(), /#t=/);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
      await page.getByLabel('Organization').fill('Acme');
      await page.getByRole('button', { name: 'Create administrator' }).click();
      await page.getByRole('button', { name: 'Create API token' }).click();
      const secret = await page
        .getByText(/pap_[0-9A-Za-z]{46}/)
        .first()
        .textContent();
      const token = /pap_[0-9A-Za-z]{46}/.exec(secret ?? '')?.[0];
      const answer = await fetch(`${baseUrl}/api/agent/identity`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(answer.status, 200);
      assert.deepEqual([outside, complaints], [[], []]);
      await program.stop();
    });
  });

  test('an invitation that was handed over leads a second person in', async () => {
    await withDataFolder(async (folder) => {
      const admin = { email: 'ada@example.com', password: 'correct horse battery staple' };
      const program = new Program({
        PARAPET_DATA_DIR: folder,
        PARAPET_SETUP_ADMIN_EMAIL: admin.email,
        PARAPET_SETUP_ADMIN_PASSWORD: admin.password,
      });
      const baseUrl = await program.ready();
      const post = async (path: string, body: object, token = '') => {
        const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
        const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await answer.json()) as Record<string, string>;
      };
      const { accessToken } = await post('/api/auth/sessions', admin);
      const invitation = { emails: ['grace@example.com'] };
      const { message } = await post('/api/onboarding/deployments/parapet/invite_members', invitation, accessToken);
      const { page, outside, complaints } = await open(baseUrl);
      await page.goto(/\S+\/invitation#t=\S+/.exec(message ?? '')?.[0] ?? '');
      assert.doesNotMatch(page.url(), /#t=/);
      await page.getByLabel('Your name').fill('Grace');
      await page.getByLabel('Password', { exact: true }).fill('another long sentence');
      await page.getByRole('button', { name: 'Join' }).click();
      await page.getByText('You are signed in as grace@example.com').waitFor();
      assert.deepEqual([outside, complaints], [[], []]);
      await program.stop();
    });
  });

  test('a command line is logged in by the click of somebody who is signed in, and not before', async () => {
    await withDataFolder(async (folder) => {
      const program = new Program({
        PARAPET_DATA_DIR: folder,
        PARAPET_SETUP_ADMIN_EMAIL: 'ada@example.com',
        PARAPET_SETUP_ADMIN_PASSWORD: 'correct horse battery staple',
      });
      const baseUrl = await program.ready();
      const key = randomUUID();
      const collect = () =>
        fetch(`${baseUrl}/api/agent/tokens/requests`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token_request_key: key }),
        });
      const { page, outside, complaints } = await open(baseUrl);
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
      assert.deepEqual([outside, complaints], [[], []]);
      await program.stop();
    });
  });

  test('the API reference finds an operation, tries it, and asks nobody else for anything', async () => {
    await withDataFolder(async (folder) => {
      const program = new Program({ PARAPET_DATA_DIR: folder });
      const baseUrl = await program.ready();
      const { page, outside, complaints } = await open(baseUrl);
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
      assert.deepEqual([outside, complaints], [[], []]);
      await program.stop();
    });
  });
});
