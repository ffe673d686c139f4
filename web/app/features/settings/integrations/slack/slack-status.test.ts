import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalText, slackHealth, slackReturnOf, slackStage } from './slack-status.ts';

const app = { client_id: '12.34', has_client_secret: true };
const missing = { app_id: '', team_name: '', archived: false, update_available: false };
const installation = { ...missing, app_id: 'A0PARAPET', team_name: 'Acme' };

test('Slack is new, has an app, or is installed', () => {
  assert.equal(slackStage({ app: { client_id: '', has_client_secret: false }, installation: missing }), 'new');
  assert.equal(slackStage({ app, installation: missing }), 'app');
  assert.equal(slackStage({ app, installation }), 'installed');
});

test('a refused token and missing permissions ask for another installation', () => {
  assert.equal(slackHealth({ app, installation }).kind, 'good');
  assert.match(slackHealth({ app, installation: { ...installation, archived: true } }).advice, /install the app again/);
  assert.equal(slackHealth({ app, installation: { ...installation, update_available: true } }).kind, 'warn');
});

test('the address that Slack returns to has a code or an error; the state of deliveries is neither', () => {
  assert.deepEqual(slackReturnOf({ code: 'c', state: 's' }), { code: 'c', state: 's' });
  assert.deepEqual(slackReturnOf({ error: 'access_denied', state: 's' }), { error: 'access_denied' });
  assert.equal(slackReturnOf({ state: 'failed' }), undefined);
  assert.equal(refusalText('access_denied'), 'The installation was cancelled at Slack.');
});
