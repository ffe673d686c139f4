import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, formatDuration, parseDay, parseDuration } from './durations.ts';
import { parseDurationRange, parseNumberRange, parseTimeRange } from './parse-range.ts';

const DAY_MS = 86_400_000;
const midnight = (day: string) => `${day}T00:00:00.000Z`;
const moments = (text: string) => {
  const read = parseTimeRange(text);
  if (!('range' in read)) return read.advice;
  const { kind, of, ...ends } = read.range;
  return ends;
};

test('durations are hours, days, weeks, months of 30 days and years of 365', () => {
  assert.deepEqual(
    ['12h', '30d', '2w', '3m', '1y', '1Day', '3months'].map(parseDuration),
    [0.5, 30, 14, 90, 365, 1, 90].map((days) => days * DAY_MS),
  );
  for (const text of ['', 'd', '30', '-30d', '1.5d', '30x', '101y', '9999999d', '30d '])
    assert.equal(parseDuration(text), undefined, text);
});

test('a duration is formatted in days or hours and parsed back', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.constantFrom('h', 'd', 'w', 'm'), (amount, unit) => {
      const durationMs = parseDuration(`${amount}${unit}`);
      assert.equal(durationMs === undefined ? undefined : parseDuration(formatDuration(durationMs)), durationMs);
    }),
  );
});

test('only calendar days are valid', () => {
  assert.equal(parseDay('2024-02-29'), midnight('2024-02-29'));
  for (const text of ['2026-02-29', '2026-13-01', '2026-8-1', '2026-08-01T00:00:00Z', 'today'])
    assert.equal(parseDay(text), undefined, text);
  assert.equal(addDays(midnight('2026-12-31')), midnight('2027-01-01'));
  assert.equal(addDays(midnight('9999-12-31')), undefined);
});

test('a day in a comparison is a whole day, so that ranges start and end at midnight', () => {
  const [from, to] = [{ at: midnight('2026-08-01') }, { at: midnight('2026-08-02') }];
  assert.deepEqual(moments('2026-08-01'), { from, to });
  assert.deepEqual(moments('>=2026-08-01'), { from });
  assert.deepEqual(moments('>2026-08-01'), { from: to });
  assert.deepEqual(moments('<2026-08-01'), { to: from });
  assert.deepEqual(moments('<=2026-08-01'), { to });
  assert.deepEqual(moments('2026-08-01..2026-08-31'), { from, to: { at: midnight('2026-09-01') } });
  assert.deepEqual(moments('2026-08-01..'), { from });
});

test('with a minus it is a point in time; without, the elapsed time, which compares in reverse', () => {
  const [month, quarter] = [{ agoMs: 30 * DAY_MS }, { agoMs: 90 * DAY_MS }];
  for (const text of ['>-30d', '>=-30d', '<30d', '-30d', '30d', '-30d..', '..30d'])
    assert.deepEqual(moments(text), { from: month }, text);
  for (const text of ['<-30d', '>30d', '30d..']) assert.deepEqual(moments(text), { to: month }, text);
  for (const text of ['-90d..-30d', '30d..90d']) assert.deepEqual(moments(text), { from: quarter, to: month }, text);
  assert.deepEqual(moments('2026-08-01..-30d'), { from: { at: midnight('2026-08-01') }, to: month });
});

test('an invalid time range gets advice on what to write', () => {
  assert.match(String(moments('30d..2026-08-01')), /minus before the duration/);
  assert.match(String(moments('2026-08-02..2026-08-01')), /lower end first/);
  assert.match(String(moments('-30d..-90d')), /lower end first/);
  for (const text of ['', '..', '>', '>>2026-08-01', '2026-08', '>9999-12-31', '9999-12-31', '2026-08-01..x'])
    assert.match(String(moments(text)), /write a date/, text);
});

test('an age needs a comparison', () => {
  assert.deepEqual(parseDurationRange('>30d'), { range: { kind: 'range', of: 'duration', fromMs: 30 * DAY_MS } });
  assert.deepEqual(parseDurationRange('<=1w'), { range: { kind: 'range', of: 'duration', toMs: 7 * DAY_MS } });
  const between = { kind: 'range', of: 'duration', fromMs: 30 * DAY_MS, toMs: 90 * DAY_MS };
  assert.deepEqual(parseDurationRange('30d..3m'), { range: between });
  const bare = parseDurationRange('30d');
  assert.deepEqual('suggestions' in bare && bare.suggestions, ['>30d', '<30d']);
  const turned = parseDurationRange('90d..30d');
  assert.deepEqual('suggestions' in turned && turned.suggestions, ['30d..90d']);
  assert.ok('advice' in parseDurationRange('30d..30d'));
});

test('a probability is from 0 to 1, with inclusive and exclusive ends', () => {
  const range = { kind: 'range', of: 'number' };
  assert.deepEqual(parseNumberRange('>0.5'), { range: { ...range, above: 0.5 } });
  assert.deepEqual(parseNumberRange('>=0.5'), { range: { ...range, from: 0.5 } });
  assert.deepEqual(parseNumberRange('<1'), { range: { ...range, below: 1 } });
  assert.deepEqual(parseNumberRange('0.25'), { range: { ...range, from: 0.25, to: 0.25 } });
  assert.deepEqual(parseNumberRange('0.1..0.2'), { range: { ...range, from: 0.1, to: 0.2 } });
  for (const text of ['', '..', '2', '1.1', '.5', '1e-3', '-0.5', '0.1234567', '0.2..0.1', 'NaN', '>'])
    assert.ok('advice' in parseNumberRange(text), text);
});
