import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { ADMIN, ADMIN_SETTINGS, browserSkipReason } from '#test/support/browser/browser.ts';
import { RunningApp } from '#test/support/browser/running-app.ts';
import { FakeSlack } from '#test/support/chat/fake-slack.ts';
import { codeOf } from '#test/support/factories/second-factor.ts';
import { waitUntil } from '#test/support/wait.ts';
import { IdentityProvider } from '#test/support/world/identity-provider.ts';

const REPORT = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'checker' } }, results: [] }],
});

const isPatch = (request: Request) => request.method() === 'PATCH';

describe('the settings in a real browser', { skip: browserSkipReason }, () => {
  let product: RunningApp;
  let page: Page;
  let slack: FakeSlack;
  let idp: IdentityProvider;
  let team: string;
  const people: Record<string, string> = {};
  const projects: Record<string, string> = {};

  const call: RunningApp['call'] = (...request) => product.call(...request);
  const settings = (path: string) => page.goto(`${product.baseUrl}/o/parapet/settings/${path}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const picker = (name: string) => page.getByRole('combobox', { name });

  /** An organization in which teams matter: only administrators see projects through the default team. */
  async function fill(): Promise<void> {
    const agent = '/api/agent/deployments/parapet';
    for (const name of ['acme/web', 'acme/ledger'])
      await call('POST', `/api/v1/deployments/parapet/imports?project=${name}&ref=main&commit=1111111`, REPORT);
    for (const name of ['Grace', 'Alan'])
      await product.member({ name, email: `${name}@example.com`, password: 'a long enough sentence' });
    const { users } = await call('GET', `${agent}/users`);
    for (const { id, name } of users as { id: string; name: string }[]) people[name] = id;
    const { repos } = await call('POST', `${agent}/repos/search`);
    for (const { id, name } of repos as { id: string; name: string }[]) projects[name] = id;
    const teams = '/api/permissions/v2/deployments/parapet/teams';
    const list = (await call('POST', `${teams}/list`))['teams'] as { id: string }[];
    await call('PATCH', `${teams}/${list[0]?.id}`, { team: { repositories: [] } });
    const input = { name: 'Payments', users: [{ userId: people['Grace'] }], repositoryIds: [projects['acme/ledger']] };
    team = ((await call('POST', teams, { team: input }))['team'] as { id: string }).id;
  }

  before(async () => {
    slack = await FakeSlack.start();
    idp = await IdentityProvider.start();
    const allow = `${slack.settings['PARAPET_EGRESS_ALLOW']},127.0.0.1:${idp.port}`;
    product = await RunningApp.start({
      settings: { ...ADMIN_SETTINGS, ...slack.settings, PARAPET_EGRESS_ALLOW: allow },
    });
    ({ page } = product);
    await fill();
    await product.signIn('/o/parapet/settings');
  });

  after(async () => {
    await product?.stop();
    await slack?.stop();
    await idp?.stop();
  });

  test('a settings page can be found by a synonym', async () => {
    await page.getByLabel('Find a settings page').fill('api key');
    await page.getByLabel('Find a settings page').press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
    assert.match(page.url(), /settings\/tokens$/);
  });

  test('a token is created from a preset, shown once, works at once, and is deleted after confirmation', async () => {
    await settings('tokens?preset=read');
    await page.getByText('yes: reading with the API').waitFor();
    await page.getByLabel('Name').fill('dashboard');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const shown = (await page.getByText(/^pap_\w+$/).textContent()) ?? '';
    await page.getByText('Waiting for the first use').waitFor();
    const answer = await call('GET', '/api/v1/deployments/parapet/findings', undefined, shown.trim());
    assert.ok('findings' in answer);
    await button('I have copied it').click();
    await page.getByRole('cell', { name: /^dashboard/ }).waitFor();
    assert.equal(await page.getByText(shown.trim()).count(), 0);
    await button('Delete dashboard').click();
    await button('Delete').last().click();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  });

  test('a CI issuer is trusted from a preset, refused while it trusts everybody, and shows the job to run', async () => {
    await settings('keyless-ci?new=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('CI service').selectOption('GITLAB_CI');
    await dialog.getByLabel('Conditions').fill('ref_protected = true');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/must name the whole owner/)
      .first()
      .waitFor();
    await dialog.getByLabel('Conditions').fill('project_path = acme/*\nref_protected = true');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: /project_path = acme/ }).waitFor();
    await button('Show the job for GitLab CI').click();
    await page.getByText(/JOB_TOKEN: \{ aud: /).waitFor();
    await page.keyboard.press('Escape');
  });

  test('provisioning is set up with a token that is shown once, and its first call appears', async () => {
    await settings('provisioning');
    await button('Create a token').click();
    const secret = ((await page.getByText(/^psv_\w+$/).textContent()) ?? '').trim();
    await button('I have copied it').click();
    await page.getByText('Waiting for the first call').waitFor();
    await call('POST', '/scim/v2/Users', { userName: 'kim' }, secret);
    await page.getByText('Last change: kim was provisioned').waitFor();
  });

  test('edits of a team are staged, reviewed with the access changes, and saved as one request', async () => {
    await settings(`teams/${team}?tab=people`);
    await picker('Add a person').fill('alan');
    await page.getByRole('option', { name: /Alan/ }).click();
    await page.getByRole('tab', { name: 'Projects (1)' }).click();
    await picker('Add a project').fill('web');
    await page.getByRole('option', { name: 'acme/web' }).click();
    await button('Review').click();
    await page.getByText('Alan gains 2 projects: acme/ledger, acme/web').waitFor();
    await page.getByText('Grace gains 1 project: acme/web').waitFor();
    // Another user saves first.
    const path = `/api/permissions/v2/deployments/parapet/teams/${team}`;
    await call('PATCH', path, { team: { name: 'Payments and more' } });
    await button('Save').click();
    await page.getByText('Someone else changed this team in the meantime.').waitFor();
    await page.getByText('renamed to “Payments and more”').waitFor();
    await button('Save').click();
    await page.getByText('Team Payments and more saved').waitFor();
    const { team: after } = await call('GET', path);
    const { userCount, repositoryCount } = after as { userCount: string; repositoryCount: string };
    assert.deepEqual([userCount, repositoryCount], ['2', '2']);
  });

  test('the tab of a team is in the URL: a reload and the back button restore it', async () => {
    await settings('teams');
    await page.getByRole('link', { name: '2 people of Payments and more' }).click();
    await page.getByRole('cell', { name: 'Alan', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'People (2)', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Sub-teams (0)' }).click();
    await page.getByRole('heading', { name: 'No sub-teams' }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'People (2)', selected: true }).waitFor();
  });

  test('leaving a page with staged edits asks for confirmation, and cancelling keeps them', async () => {
    await settings(`teams/${team}?tab=people`);
    await button('Remove Alan').click();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await button('Cancel').click();
    await page.getByText('1 change, not saved yet.').waitFor();
    await button('Discard').click();
  });

  test('people are invited by link without a mail server, and a role change can be undone', async () => {
    await settings('people?new=true');
    await page.getByLabel('E-mail addresses').fill('Tim <tim@example.com>, kay@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByText('2 people invited.').waitFor();
    assert.equal(await page.getByText(/\/invitation#t=/).count(), 2);
    await button('Done').click();
    await button('Cancel the invitation of tim@example.com').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the invitation' }).click();
    await page.getByText('Invitation of tim@example.com cancelled').waitFor();
    await page.getByLabel('Role of Grace').selectOption('ORG_ROLE_READONLY');
    await page.getByText('Grace is now: Read only').waitFor();
    await button(/^Undo/).click();
    await page.getByText('Undone').waitFor();
    await waitUntil(async () => (await page.getByLabel('Role of Grace').inputValue()) === 'ORG_ROLE_MEMBER');
  });

  test('a person is added with a role, and is listed among the pending invitations', async () => {
    await settings('people?preset=person');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('joan@example.com');
    await dialog.getByLabel('Role').selectOption('ORG_ROLE_READONLY');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/\/invitation#t=/).waitFor();
    await button('Done').click();
    await page.getByRole('row', { name: /^joan@example.com Read only/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /^tim@example.com/ }).count(), 0);
  });

  test('mail is chosen on a server without mail too, and conflicts are detected', async () => {
    const path = '/api/notifications/deployments/parapet/mail_settings';
    await settings('notifications');
    await page.getByText('This server sends no mail.').waitFor();
    await page.getByLabel('New findings').selectOption('weekly');
    await page.getByLabel('Day of weekly digests').selectOption('Friday');
    await call('PATCH', path, { hour: 5 });
    await button('Save').click();
    await page.getByText('These settings were changed in the meantime').waitFor();
    await button('Save').click();
    await page.getByText('Notifications saved').waitFor();
    const { findings, weekday, hour } = (await call('GET', path))['settings'] as Record<string, unknown>;
    assert.deepEqual([findings, weekday, hour], ['weekly', 5, 5]);
    // The reply is changed: suspending an address takes a mail server that refuses it on several days.
    await page.route('**/mail_settings', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      const { settings: stored } = (await response.json()) as { settings: object };
      const suspended = { isMailOn: true, isSuspended: true, suspendedReason: '550 no such mailbox' };
      return route.fulfill({ response, json: { settings: { ...stored, ...suspended } } });
    });
    await page.reload();
    await page.getByText('550 no such mailbox').waitFor();
    const [sent] = await Promise.all([page.waitForRequest(isPatch), button('Send again').click()]);
    assert.deepEqual(sent.postDataJSON(), { isSuspended: false });
    await page.getByText('Mail is sent again').waitFor();
    await page.unrouteAll();
  });

  test('Slack is connected in a few steps, and automations post to its channels', async () => {
    await settings('integrations');
    await button('Connect Slack').click();
    await page.getByLabel('Client id').fill('12.34');
    await page.getByLabel(/^Client secret/).fill('hush');
    await button('Save and install').click();
    await page.waitForURL(/oauth\/v2\/authorize/);
    const state = new URL(page.url()).searchParams.get('state') ?? '';
    // The only foreign address that a page opens.
    const foreign = product.watched.foreignRequests.splice(0);
    assert.ok(foreign.every((url) => url.startsWith(slack.settings['PARAPET_SLACK_URL'] ?? '-')));
    await settings(`integrations?code=a-good-code&state=${encodeURIComponent(state)}`);
    await page.getByText('Slack is connected to the workspace Acme.').waitFor();
    assert.match(page.url(), /settings\/integrations$/);
    await button('Add a channel').click();
    await picker('Channel').click();
    await page.getByRole('option', { name: '#security' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: '#security' }).waitFor();
    await page.goto(`${product.baseUrl}/o/parapet/automations?at=new`);
    await picker('Action').click();
    await page.getByRole('option', { name: 'post to a Slack channel' }).click();
    await picker('Channel').click();
    await page.getByRole('option', { name: '#security' }).click();
  });

  test('storage is added without showing its secret again and deleted, and Slack is disconnected', async () => {
    await settings('integrations?preset=storage');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Archive');
    await dialog.getByLabel('Region').fill('eu-central-1');
    await dialog.getByLabel('Access key id').fill('AKIAEXAMPLE');
    await dialog.getByLabel(/^Secret access key/).fill('hush-storage');
    await button('Save').click();
    await page.getByRole('row', { name: /^Archive https:\/\/s3\.eu-central-1/ }).waitFor();
    assert.equal((await page.content()).includes('hush-storage'), false);
    await button('Delete Archive').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Archive deleted.').waitFor();
    await button('Disconnect Slack').click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Slack is disconnected from Acme.').waitFor();
    assert.ok(slack.isRevoked);
  });

  test('the access inspector shows through which team a person sees a project', async () => {
    await settings(`access?person=${people['Grace']}&project=${projects['acme/ledger']}`);
    await page.getByRole('heading', { name: 'This person can see the project' }).waitFor();
    await page.getByRole('link', { name: 'Payments and more' }).waitFor();
  });

  test('products are saved as one request with the changed settings only, and conflicts are detected', async () => {
    await settings('products');
    await page.getByRole('switch', { name: /^Secret findings/ }).click({ force: true });
    await call('PUT', '/api/agent/deployments/parapet/products', { ai: { enabled: true } });
    await button('Save').click();
    await page.getByText('AI features: off → on').waitFor();
    await page.getByText('Show request body').click();
    const json = await page.locator('details pre').textContent();
    assert.deepEqual(JSON.parse(json ?? ''), { secrets: { enabled: true } });
    await button('Save').click();
    await page.getByText('Products saved').waitFor();
    const { products } = await call('GET', '/api/agent/deployments/parapet/products');
    const { ai, secrets } = products as Record<string, { enabled: boolean }>;
    assert.deepEqual([ai?.enabled, secrets?.enabled], [true, true]);
  });

  test('an identity provider is added and tested check by check, and its secret is never shown again', async () => {
    await settings('sign-in/new?preset=keycloak');
    await page.getByLabel('Discovery URL').fill('https://127.0.0.1/.well-known/openid-configuration');
    await page.getByLabel('Client id').fill('parapet');
    await page.getByLabel(/^Client secret/).fill('hush');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/\/sso\/\d+$/).waitFor();
    await settings('sign-in');
    const card = page.getByRole('article', { name: 'Keycloak' });
    await card.getByText('stored, never shown again').waitFor();
    await card.getByRole('button', { name: 'Test', exact: true }).click();
    await card.getByText('Use public https addresses').waitFor();
    await card.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await page.getByLabel(/^Client secret/).inputValue(), '');
    assert.equal((await page.content()).includes('hush'), false);
  });

  test('a provider is tested with a sign-in, and then signs a person in who enters their address', async () => {
    const clientId = 'parapet';
    const openidData = { clientId, clientSecret: 'hush', wellKnownUrl: idp.wellKnownUrl };
    const provider = { name: 'Acme', type: 'SSO_TYPE_OPENID', openidData };
    const sso = '/api/auth/sso/deployments/parapet';
    const made = await call('POST', `${sso}/providers`, { enabled: true, provider });
    const { id } = made['provider'] as { id: string };
    const { signIn } = (await call('GET', `${sso}/providers/${id}/sign-in`)) as { signIn: Record<string, string> };
    idp.clients.set(clientId, {
      ...{ id: clientId, secret: 'hush', redirectUri: signIn['redirectUri'] ?? '' },
      ...{ logoutUri: signIn['backChannelLogoutUri'] ?? '', postLogoutUri: signIn['postLogoutRedirectUri'] ?? '' },
    });
    idp.person = { sub: 'ada', email: 'ada@acme.example', email_verified: true, name: 'Ada' };
    await settings('sign-in');
    await page.getByLabel('New domain').fill('acme.example');
    await button('Add the domain').click();
    await page.getByText('_parapet-challenge.acme.example').waitFor();
    const card = page.getByRole('article', { name: 'Acme' });
    await card.getByRole('button', { name: 'Test sign-in' }).click();
    await page.getByText('The domain acme.example is not proved for this provider.').first().waitFor();
    await page.getByText('"email": "ada@acme.example"').waitFor();
    await product.query('update deployment_domain set proved_at = now()');
    const { page: other } = await product.newPage();
    await other.goto(`${product.baseUrl}/sign-in?next=/o/parapet/findings`);
    await other.getByLabel('E-mail address').fill('ada@acme.example');
    await other.getByRole('button', { name: 'Use single sign-on' }).click();
    await other.getByRole('heading', { level: 1, name: 'Findings' }).waitFor();
    await other.context().close();
    product.watched.foreignRequests.length = 0;
  });

  test('a partner credential is stored and validated with its stored secret', async () => {
    await settings('partner?new=true');
    await page.getByLabel('Client id').fill('acme');
    await page.getByLabel(/^Client secret/).fill('hush');
    await page.getByLabel('API URL').fill('https://vendor.example/api');
    await page.getByLabel('Token URL').fill('https://vendor.example/token');
    await button('Save').click();
    await page.getByRole('row', { name: /acme/ }).getByRole('button', { name: 'Test' }).click();
    await page.getByText(/could not be reached|may not call/).waitFor();
  });

  test('the audit log is filtered by the URL, opened, verified and exported', async () => {
    await settings('audit');
    await page.getByRole('link', { name: 'update deployment team' }).first().click();
    await page.waitForURL(/operation=TeamsService.updateDeploymentTeam/);
    await page.reload();
    assert.equal(await page.getByLabel('Operation').inputValue(), 'TeamsService.updateDeploymentTeam');
    await button('Details of update deployment team').first().click();
    await page.getByText('Before and after are keyed hashes').first().waitFor();
    await button('Verify integrity').click();
    await page.getByText(/The newest \d+ records are unchanged/).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export NDJSON').click()]);
    assert.match(download.suggestedFilename(), /^audit-.*\.ndjson$/);
  });

  test('no page calls another origin or violates the content security policy', () => {
    assert.deepEqual([product.watched.foreignRequests, product.watched.pageErrors], [[], []]);
  });

  // The last one, because it ends the session that `call` uses.
  test('an authenticator app is added with its QR code, asked for at the next sign-in, and removed', async () => {
    await page.getByTitle('Your menu').click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await page.getByText('(this session)').waitFor();
    await button('Add an authenticator app').click();
    await page.getByLabel('Your password').fill(ADMIN.password);
    await button('Continue').click();
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    const secret = ((await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? '').trim();
    await page.getByLabel('Code that the app shows').fill(codeOf(secret));
    await button('Confirm').click();
    const codes = await page.locator('.account-codes li').allTextContents();
    assert.equal(codes.length, 10);
    await button('I have kept them').click();
    await page.getByText('10 recovery codes left').waitFor();
    const { page: other } = await product.newPage();
    await other.goto(`${product.baseUrl}/sign-in`);
    await other.getByLabel('E-mail address').fill(ADMIN.email);
    await other.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByLabel('Code of your authenticator app').fill(codes[0] ?? '');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    await other.context().close();
    await button('Remove the app').click();
    await page.getByLabel('Your password').fill(ADMIN.password);
    await page.getByLabel('Code of the app, or a recovery code').fill(codes[1] ?? '');
    await button('Remove').last().click();
    await page.getByText('Authenticator app removed').waitFor();
  });
});
