import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyTracker, trackerBody, trackerDraftOf } from './tracker-draft.ts';

const stored = {
  ...{ id: '3', isConfigured: true, isAuthRevoked: false, instanceType: 'jira', subdomain: 'acme', projectId: 'SHOP' },
  ...{
    issueTypeId: '10004',
    subtaskIssueTypeId: '',
    name: 'Acme',
    slug: 'acme',
    siteUrl: 'https://acme.atlassian.net',
  },
  fields: { all: { labels: { value: 'security' } }, sca: { customfield_1: { from: 'package' } } },
  automationStates: { sast: true, sca: false, secrets: false, scaMaliciousDeps: false, aiSast: false },
  fixedTransitionState: { jiraTransitionId: '31', aggregateState: 'fixed' },
  account: 'ada@example.com',
} as unknown as Parameters<typeof trackerDraftOf>[0];

test('a stored tracker passes through the form unchanged', () => {
  const body = trackerBody(trackerDraftOf(stored));
  assert.deepEqual(body.fields, stored.fields);
  assert.deepEqual([body.fixedTransitionId, body.issueTypeId, body.account], ['31', '10004', 'ada@example.com']);
  assert.equal(body.automationStates.sast, true);
});

test('a tracker other than Jira gets neither a type of tickets nor an account', () => {
  const body = trackerBody({ ...emptyTracker(), instanceType: 'github', issueTypeId: '1', account: 'x' });
  assert.deepEqual([body.issueTypeId, body.account, body.fixedTransitionId], ['', '', '']);
});
