import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependentsOf, healthOf } from './destination-health.ts';

const now = new Date('2026-11-16T12:00:00Z');
const facts = { state: 'active', stateReason: '', failures: 0, lastSuccessAt: '2026-11-16T11:00:00Z' } as const;

test('a destination is working, failing, paused, disabled or unused', () => {
  assert.deepEqual(healthOf(facts, now), { kind: 'good', text: 'Working' });
  assert.equal(healthOf({ ...facts, failures: 2 }, now).text, 'Failing');
  assert.equal(
    healthOf({ ...facts, failures: 4, pausedUntil: '2026-11-16T12:01:00Z' }, now).text,
    'Paused after failures',
  );
  assert.equal(healthOf({ ...facts, failures: 4, pausedUntil: '2026-11-16T11:59:00Z' }, now).text, 'Failing');
  assert.equal(healthOf({ ...facts, state: 'disabled' }, now).kind, 'bad');
  const { lastSuccessAt: _, ...unused } = facts;
  assert.equal(healthOf(unused, now).text, 'Not used yet');
});

test('the automations that send to a destination are found by what their actions name', () => {
  const of = (config: Record<string, string>) => ({ id: '1', name: 'Tell', actions: [{ config }] });
  assert.equal(dependentsOf([of({ webhook_id: '9' })], { id: '9', name: 'SIEM' }).length, 1);
  assert.equal(dependentsOf([of({ webhook_id: '8' })], { id: '9', name: 'SIEM' }).length, 0);
  const tracker = { id: '9', name: 'Acme', slug: 'acme' };
  assert.equal(dependentsOf([of({ credential_slug: 'acme' }), of({ webhook_id: '9' })], tracker).length, 1);
  const channel = { id: '9', name: '#security', channel: { channel_id: 'C1', channel_name: 'security' } };
  const configs = [{ channel_id: 'C1' }, { channel_name: '#security' }, { channel_id: 'C2' }, { webhook_id: '9' }];
  assert.equal(dependentsOf(configs.map(of), channel).length, 2);
  const bucket = { id: '9', name: 's3://findings/', kind: 's3' };
  assert.equal(dependentsOf([of({ bucket: 'findings' }), of({ bucket: 'other' })], bucket).length, 1);
  const mailbox = { id: '9', name: 'ada@example.com', kind: 'mail' };
  assert.equal(dependentsOf([of({ recipients: 'x@y.example, Ada@example.com' }), of({})], mailbox).length, 1);
});
