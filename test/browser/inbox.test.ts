import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ADMIN, adminSettings, launch, noBrowser, signIn, type Watched, watchedPage } from '#test/support/browser.ts';
import { Program } from '#test/support/program.ts';
import { type CheckerHit, sarifOf } from '#test/support/sarif.ts';

const FILES = ['one', 'two', 'three', 'four'];
const hit = (file: string): CheckerHit => ({
  rule: `rule-${file}`,
  title: `Flaw ${file}`,
  path: `src/${file}.js`,
  lines: ['', 'flaw(x)', ''],
  match: 'flaw',
});

describe('the inbox in a real browser', { skip: noBrowser }, () => {
  let browser: Browser;
  let folder: string;
  let program: Program;
  let baseUrl: string;
  let watched: Watched;
  let page: Page;

  async function call(method: string, path: string, body: object | string, token = '') {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${path} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** Somebody who has to ask before something is ignored, and does. */
  async function askToIgnore(admin: string, file: string): Promise<void> {
    const invited = { emails: ['grace@example.com'] };
    const { message } = await call('POST', '/api/onboarding/deployments/parapet/invite_members', invited, admin);
    const token = /\/invitation#t=([^\s]+)/.exec(String(message))?.[1];
    const wish = { token, name: 'Grace', password: 'another long sentence' };
    const { accessToken, user } = await call('POST', '/api/auth/invitations/accept', wish);
    const { id } = user as { id: string };
    const role = { newRole: 'ORG_ROLE_MEMBER' };
    await call('PATCH', `/api/agent/deployments/1/users/${id}/roles`, role, admin);
    const body = {
      filter: { filePaths: [`src/${file}.js`] },
      params: {
        triageState: 'FINDING_TRIAGE_STATE_IGNORED',
        triageReason: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK',
        note: 'Only tests call it.',
      },
    };
    await call('PATCH', '/api/agent/deployments/1/findings/v2', body, String(accessToken));
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parapet inbox '));
    program = new Program(adminSettings(folder));
    baseUrl = await program.ready();
    browser = await launch();
    watched = await watchedPage(browser, baseUrl);
    page = watched.page;
    await signIn(page, baseUrl, '/o/parapet/inbox');
  });

  after(async () => {
    await browser?.close();
    await program.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const go = (path: string) => page.goto(`${baseUrl}${path}`);
  const rows = () => page.getByRole('list', { name: 'To review' }).getByRole('listitem');
  const panel = () => page.getByRole('region', { name: /^Finding ISS-/ });

  test('says how to begin where nothing was handed in', async () => {
    await page.getByRole('heading', { name: 'No scan has reported yet' }).waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
  });

  test('shows what is new beside its list, and is gone through with keys', async () => {
    const { accessToken } = await call('POST', '/api/auth/sessions', ADMIN);
    const admin = String(accessToken);
    await call('POST', '/api/v1/deployments/parapet/imports?project=acme/web', sarifOf(FILES.map(hit)), admin);
    await call('PUT', '/api/agent/deployments/1/products', { hasDeveloperTriage: true }, admin);
    await askToIgnore(admin, 'four');
    await go('/o/parapet/inbox');
    await rows().nth(3).waitFor();
    const second = (await rows().nth(1).getByRole('link').textContent()) ?? '';
    await page.keyboard.press('j');
    await panel().getByRole('heading', { name: second }).waitFor();
    await page.keyboard.press('3');
    await rows().nth(1).getByText('To fix').waitFor();
    await page.reload();
    await rows().nth(2).waitFor();
    assert.equal(await rows().count(), 3);
  });

  test('lets go of what somebody is done with, and takes it back', async () => {
    const first = (await rows().nth(0).getByRole('link').textContent()) ?? '';
    await rows().nth(0).getByRole('link').click();
    await panel().getByRole('heading', { name: first }).waitFor();
    await page.keyboard.press('d');
    await page.getByText(/ISS-\d+: done/).waitFor();
    assert.equal(await rows().count(), 2);
    await page.keyboard.press('z');
    await rows().nth(2).waitFor();
  });

  test('answers a request with a reply', async () => {
    await page.getByRole('tab', { name: /Approvals/ }).click();
    await page.getByText('Only tests call it.').first().waitFor();
    await page.getByRole('button', { name: 'Approve: Flaw four' }).click();
    await page.getByLabel('Reply (optional)').fill('Until the tests move.');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('heading', { name: 'No request is waiting' }).waitFor();
    await page.goBack();
    await rows().first().waitFor();
    assert.deepEqual([watched.outside, watched.complaints], [[], []]);
  });
});
