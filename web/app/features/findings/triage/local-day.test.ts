import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, startOfDay, tomorrowOf } from './local-day.ts';

test('a day is in the local time zone', () => {
  assert.equal(dayOf(new Date('2026-03-02T00:00:00')), '2026-03-02');
  assert.equal(dayOf(new Date('2026-03-02T23:59:59')), '2026-03-02');
  assert.equal(dayOf(new Date(startOfDay('2026-12-31') ?? '')), '2026-12-31');
});

test('a decision can expire from tomorrow on, at the start of a day', () => {
  assert.equal(tomorrowOf(new Date('2026-03-01T10:00:00')), '2026-03-02');
  assert.equal(new Date(startOfDay('2026-03-02') ?? '').getHours(), 0);
  assert.equal(startOfDay(''), undefined);
  assert.equal(startOfDay('soon'), undefined);
});
