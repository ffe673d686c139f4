import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextDigest, nextOccurrence } from './mail-rules.ts';
import { isTimeZone } from './mail-shape.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'];
const iso = (date: Date | undefined) => date?.toISOString();

test('a daily digest is due at the hour of the time zone, also across a change of the clocks', () => {
  const berlin = { timeZone: 'Europe/Berlin', hour: 8, weekday: 1 };
  assert.equal(iso(nextOccurrence(new Date('2026-03-28T07:00:00Z'), berlin)), '2026-03-29T06:00:00.000Z');
  assert.equal(iso(nextOccurrence(new Date('2026-03-28T06:59:59Z'), berlin)), '2026-03-28T07:00:00.000Z');
  assert.equal(iso(nextOccurrence(new Date('2026-11-16T12:00:00Z'), berlin, 1)), '2026-11-23T07:00:00.000Z');
});

test('the next digest is that of the most frequent part, and parts at once or never have none', () => {
  const times = { timeZone: 'UTC', hour: 8, weekday: 5 };
  const now = new Date('2026-11-16T12:00:00Z');
  assert.equal(iso(nextDigest(['weekly', 'daily', 'now'], now, times)), '2026-11-17T08:00:00.000Z');
  assert.equal(iso(nextDigest(['weekly', 'never'], now, times)), '2026-11-20T08:00:00.000Z');
  assert.equal(nextDigest(['now', 'never'], now, times), undefined);
});

test('a digest is always in the future, within eight days, and at the full hour unless the clocks skip it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 23 }),
      fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
      (after, timeZone, hour, weekday) => {
        const at = nextOccurrence(after, { timeZone, hour, weekday: 1 }, weekday);
        const waits = at.getTime() - after.getTime();
        assert.ok(waits > 0 && waits <= 8 * 86_400_000 + 3_600_000);
        const shown = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', hour: 'numeric' }).format(at);
        assert.ok([0, 1, 23].includes(Math.abs(Number(shown) - hour)), `${shown} for ${hour} in ${timeZone}`);
      },
    ),
    { numRuns: 50 },
  );
});

test('only names of time zones are accepted', () => {
  assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone), [true, true, false, false]);
});
