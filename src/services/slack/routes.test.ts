import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { issueSlackState } from '#domain/slack/oauth-state.ts';
import { FakeSlack } from '#test/support/chat/fake-slack.ts';
import { automationOf } from '#test/support/factories/automations.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let fake: FakeSlack;
let place: TestDeployment;

before(async () => {
  fake = await FakeSlack.start();
  world = await World.start(fake.settings);
});
after(async () => {
  await world.stop();
  await fake.stop();
});
beforeEach(async () => {
  place = await world.deployment();
  fake.isRevoked = false;
  fake.requests.length = 0;
});

const call = (jwt = place.admin.jwt) => world.as(contract, jwt);
const path = () => ({ deploymentId: place.id });
const setApp = () =>
  call().setSlackApp({ path: path(), body: { client_id: '12.34', client_secret: 'a-client-secret' } });

/** Goes the way of a browser: to Slack, and back with a code. */
async function install(code = 'a-good-code') {
  await setApp();
  const { body } = await call().installSlackApp({ path: path() });
  const state = new URL(body.redirect_url).searchParams.get('state') ?? '';
  return { state, reply: await call().handleSlackCallback({ path: path(), body: { state, code } }) };
}
const addChannel = async (channel = 'C024BE91L') =>
  (await call().createSlackChannelMapping({ path: path(), body: { channel_id: channel } })).body.channel_mapping;

describe('installing the Slack app', () => {
  test('ends with a sealed token, which is never shown', async () => {
    const { reply } = await install();
    assert.equal(reply.status, 200);
    assert.deepEqual([reply.body.team_id, reply.body.team_name, reply.body.app_id], ['T0ACME', 'Acme', 'A0PARAPET']);
    const { body } = await call().getSlackInstallation({ path: path() });
    assert.deepEqual([body.client_id, body.update_available, body.archived], ['12.34', false, false]);
    const { body: app } = await call().getSlackApp({ path: path() });
    assert.equal(JSON.stringify([reply.body, body, app]).includes('a-client-secret'), false);
    const [row] = await world.queryAsOwner<{ sealed: string }>(
      'select sealed_token as sealed from slack_installation where deployment_id = $1',
      [place.id],
    );
    assert.ok(row && !row.sealed.includes(fake.token));
    const [audit] = await world.queryAsOwner<{ text: string }>(
      `select record::text as text from audit_record as record
       where deployment_id = $1 and record::text like '%Callback%'`,
      [place.id],
    );
    assert.ok(audit && !audit.text.includes(fake.token));
  });

  test('needs an app, whose manifest names the redirect URL and all scopes', async () => {
    assert.equal((await call().installSlackApp({ path: path() })).problem.code, 'SLACK_APP_MISSING');
    const { app } = (await call().getSlackApp({ path: path() })).body;
    const manifest = JSON.parse(app.manifest) as {
      oauth_config: { redirect_urls: string[]; scopes: { bot: string[] } };
    };
    assert.deepEqual(manifest.oauth_config.redirect_urls, [app.redirect_url]);
    assert.equal(manifest.oauth_config.scopes.bot.join(','), fake.scopes);
    await setApp();
    const url = new URL((await call().installSlackApp({ path: path() })).body.redirect_url);
    assert.equal(url.searchParams.get('redirect_uri'), app.redirect_url);
    assert.equal(url.pathname, '/oauth/v2/authorize');
  });

  test('refuses a state that is used, expired, foreign or of somebody else', async () => {
    const { state, reply } = await install();
    assert.equal(reply.status, 200);
    const code = 'a-good-code';
    const codeOf = async (given: string, jwt?: string) =>
      (await call(jwt).handleSlackCallback({ path: path(), body: { state: given, code } })).problem.code;
    assert.equal(await codeOf(state), 'SLACK_STATE_REFUSED');
    const of = (deployment: string, account: string, at = new Date()) =>
      issueSlackState(world.keys, { deployment, account }, at);
    const other = await world.member(place, 'ORG_ROLE_ADMIN');
    assert.equal(await codeOf(of(place.id, place.admin.id), other.jwt), 'SLACK_STATE_REFUSED');
    assert.equal(await codeOf(of((await world.deployment()).id, place.admin.id)), 'SLACK_STATE_REFUSED');
    assert.equal(await codeOf(of(place.id, place.admin.id, new Date(Date.now() - 16 * 60_000))), 'SLACK_STATE_REFUSED');
    assert.equal(await codeOf(`${state.slice(0, -2)}AA`), 'SLACK_STATE_REFUSED');
  });

  test('fails with the reason of Slack, and installs nothing', async () => {
    const { reply } = await install('a-bad-code');
    assert.deepEqual([reply.status, reply.problem.code], [502, 'SLACK_UNAVAILABLE']);
    assert.match(reply.problem.detail ?? '', /invalid_code/);
    assert.equal((await call().getSlackInstallation({ path: path() })).body.app_id, '');
  });

  test('again renews token and scopes of the same workspace, and refuses another app or workspace', async () => {
    fake.scopes = 'chat:write';
    await install();
    fake.scopes = 'channels:read,chat:write,chat:write.public,groups:read,team:read';
    assert.equal((await call().getSlackInstallation({ path: path() })).body.update_available, true);
    assert.equal((await install()).reply.status, 200);
    assert.equal((await call().getSlackInstallation({ path: path() })).body.update_available, false);
    fake.teamId = 'T0OTHER';
    assert.equal((await install()).reply.problem.code, 'SLACK_INSTALLED');
    fake.teamId = 'T0ACME';
    const other = { client_id: '56.78', client_secret: 'another' };
    assert.equal((await call().setSlackApp({ path: path(), body: other })).problem.code, 'SLACK_INSTALLED');
  });
});

describe('channels', () => {
  test('are picked from those of the workspace, page by page, and stored by id', async () => {
    assert.equal(
      (await call().listSlackConversations({ path: path(), query: {} })).problem.code,
      'SLACK_NOT_INSTALLED',
    );
    await install();
    const first = (await call().listSlackConversations({ path: path(), query: { count: 2 } })).body;
    const rest = (await call().listSlackConversations({ path: path(), query: { count: 2, after: first.after } })).body;
    assert.deepEqual(
      [...first.channels, ...rest.channels].map(({ channel_name: name }) => name),
      ['security', 'payments', 'war-room'],
    );
    assert.equal(rest.after, '');
    const mapping = await addChannel();
    assert.equal(mapping.channel_name, 'security');
    assert.deepEqual(await addChannel(), mapping, 'a second mapping of a channel is the first one');
    const unknown = await call().createSlackChannelMapping({ path: path(), body: { channel_id: 'C0NOWHERE' } });
    assert.match(unknown.problem.detail ?? '', /channel_not_found/);
  });

  test('tell which automations send to them', async () => {
    await install();
    await addChannel();
    await automationOf(
      { world, place },
      {
        name: 'Criticals',
        actions: [{ type: 'ACTION_TYPE_SLACK_APP', config: { channel_name: '#security' } }],
        conditions: [{ type: 'CONDITION_TYPE_PRODUCT', mode: 'MODE_ANY', values: ['sca'] }],
      },
    );
    const { notification_mappings: mappings } = (await call().getSlackNotificationMappings({ path: path() })).body;
    assert.deepEqual(
      mappings?.map((one) => [one.channel_name, one.products, one.sast_enabled, one.sca_enabled, one.policies]),
      [['security', ['sca'], false, true, ['criticals']]],
    );
  });

  test('are tested with a real message, and a failure says why', async () => {
    await install();
    const { id: mappingId } = await addChannel();
    const send = async () => (await call().testSlackChannelMapping({ path: { ...path(), mappingId }, body: {} })).body;
    assert.deepEqual(await send(), { success: true, error_detail: '' });
    assert.equal(fake.messages.at(-1)?.channel, 'security');
    fake.fail('chat.postMessage', { kind: 'error', code: 'is_archived' });
    assert.match((await send()).error_detail, /is_archived/);
  });

  test('pause their automations when they or the installation go, and the token is revoked', async () => {
    await install();
    const { id: mappingId } = await addChannel('C0PAYMENTS');
    await addChannel();
    const sendTo = (channel: string) =>
      automationOf(
        { world, place },
        {
          actions: [{ type: 'ACTION_TYPE_SLACK_APP', config: { channel_id: channel } }],
        },
      );
    const [one, other] = [await sendTo('C0PAYMENTS'), await sendTo('C024BE91L')];
    const gone = await call().deleteSlackChannelMapping({ path: { ...path(), mappingId } });
    assert.deepEqual(
      gone.body.paused_automations.map(({ id }) => id),
      [one],
    );
    const { body } = await call().deleteSlackInstallation({ path: path() });
    assert.deepEqual([body.is_token_revoked, body.paused_automations.map(({ id }) => id)], [true, [other]]);
    assert.equal(fake.isRevoked, true);
    assert.deepEqual((await call().getSlackChannelMappings({ path: path() })).body.channel_mappings, []);
    assert.equal((await call().deleteSlackInstallation({ path: path() })).status, 404);
  });
});
