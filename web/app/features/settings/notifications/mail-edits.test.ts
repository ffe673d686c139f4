import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedMailSettings, digestTimes, type MailSettings } from './mail-edits.ts';

const stored = { findings: 'daily', approvals: 'now', notices: 'never', hour: 8, validSecrets: true } as MailSettings;

test('only settings that differ from the stored ones are sent', () => {
  assert.deepEqual(changedMailSettings(stored, { findings: 'daily', hour: 9, validSecrets: false }), {
    hour: 9,
    validSecrets: false,
  });
  assert.deepEqual(changedMailSettings(stored, {}), {});
});

test('the hour matters for daily and weekly digests, the weekday for weekly ones', () => {
  assert.deepEqual(digestTimes(stored), { hasHour: true, hasWeekday: false });
  assert.deepEqual(digestTimes({ ...stored, notices: 'weekly' }), { hasHour: true, hasWeekday: true });
  assert.deepEqual(digestTimes({ ...stored, findings: 'never' }), { hasHour: false, hasWeekday: false });
});
