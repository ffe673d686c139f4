import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardrailsLinkTargets } from './link-targets.ts';

const counts = (fixed: number, silenced: number) => ({ silenced, open: 0, fixed, ignored: 0, provisionallyIgnored: 0 });
const [may, june] = [
  { since: '2026-05-01T00:00:00Z', until: '2026-06-01T00:00:00Z' },
  { since: '2026-06-01T00:00:00Z', until: '2026-07-01T00:00:00Z' },
];
const reply = {
  buckets: [
    { timePeriod: may, ...counts(2, 1) },
    { timePeriod: june, ...counts(1, 0) },
  ],
  totalFixed: 3,
  totalOpened: 4,
};
/** One finding appeared in both months, and twice in the first. */
const findings = {
  buckets: [
    { timePeriod: may, ...counts(2, 1), all: 2 },
    { timePeriod: june, ...counts(1, 0), all: 1 },
  ],
  totals: counts(2, 1),
  totalFixed: 2,
  totalOpened: 2,
};
const counted = { texts: {}, until: undefined, now: new Date('2026-07-10T00:00:00Z') };

test('each number and total links to its findings and has their count', () => {
  const behind = guardrailsLinkTargets(reply, findings, counted);
  assert.deepEqual(behind({ bucket: 0, series: 'fixed' }), {
    q: 'guardrail:fixed raised:2026-05-01..2026-05-31',
    findings: 2,
  });
  assert.deepEqual(behind({ bucket: 0 }), { q: 'raised:2026-05-01..2026-05-31', findings: 2 });
  assert.deepEqual(behind({ series: 'fixed' }), { q: 'guardrail:fixed raised:2026-05-01..2026-06-30', findings: 2 });
  assert.deepEqual(behind({}), { q: 'raised:2026-05-01..2026-06-30', findings: 2 });
});

test('before findings are counted there is a filter only, and without buckets no link', () => {
  assert.deepEqual(guardrailsLinkTargets(reply, undefined, counted)({ bucket: 1 }), {
    q: 'raised:2026-06-01..2026-06-30',
    findings: undefined,
  });
  assert.equal(guardrailsLinkTargets({ ...reply, buckets: [] }, findings, counted)({}), undefined);
});
