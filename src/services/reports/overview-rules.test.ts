import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFilter } from '#domain/query/parse-filter.ts';
import {
  ageInDays,
  backlogOf,
  bucketEdges,
  formatUtcDays,
  netChangeOf,
  wholeDaysOf,
  worstProjectsOf,
} from './overview-rules.ts';
import { bucketPeriods } from './rules.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = new Date('2026-06-15T10:30:00Z');
const moment = fc.integer({ min: -700, max: 20 * 24 }).map((hours) => new Date(NOW.getTime() + hours * 3_600_000));

test('whole days cover the period, and their text is an equivalent filter', () => {
  fc.assert(
    fc.property(moment, fc.option(moment, { nil: undefined }), (since, until) => {
      const days = wholeDaysOf({ since, until }, NOW);
      assert.ok(days.since <= since && since.getTime() - days.since.getTime() < DAY_MS);
      if (until && !days.isOpenEnded) assert.ok(days.until >= until && days.until.getTime() - until.getTime() < DAY_MS);
      if (days.since >= days.until) return;
      const { query, problems } = parseFilter(`opened:${formatUtcDays(days)}`);
      assert.deepEqual(problems, []);
      const [value] = query.terms[0]?.values ?? [];
      assert.ok(value?.kind === 'range' && value.of === 'moment');
      assert.deepEqual(value.from, { at: days.since.toISOString() });
      assert.deepEqual(value.to, days.isOpenEnded ? undefined : { at: days.until.toISOString() });
    }),
  );
});

const aFinding = fc
  .record({
    bornDay: fc.integer({ min: -10, max: 40 }),
    lifeDays: fc.option(fc.nat(30), { nil: undefined }),
    fate: fc.constantFrom('fixed', 'ignored', 'other'),
    severity: fc.nat(4),
  })
  .map((one) => ({ ...one, goneDay: one.lifeDays === undefined ? undefined : one.bornDay + one.lifeDays }));

test('the backlog at the end of each bucket equals the open findings at that time', () => {
  const start = new Date('2026-05-01T00:00:00Z');
  const period = { since: start, until: new Date(start.getTime() + 30 * DAY_MS) };
  const size = fc.constantFrom('TIME_BUCKET_SIZE_DAY', 'TIME_BUCKET_SIZE_WEEK', 'TIME_BUCKET_SIZE_MONTH');
  fc.assert(
    fc.property(fc.array(aFinding), size, (findings, bucket) => {
      const parts = bucketPeriods(period, bucket);
      const edges = bucketEdges(period, parts).map((edge) => (edge.getTime() - start.getTime()) / DAY_MS);
      const placeOf = (day: number) => edges.filter((edge) => edge <= day).length;
      const flow = {
        open: findings.filter(({ goneDay }) => goneDay === undefined).map(({ severity }) => ({ severity, count: 1 })),
        came: findings
          .map(({ bornDay, severity }) => ({ place: placeOf(bornDay), severity, count: 1 }))
          .filter(({ place }) => place > 0),
        went: findings
          .filter(({ goneDay }) => goneDay !== undefined)
          .map(({ goneDay = 0, fate, severity }) => ({ place: placeOf(goneDay), fate, severity, count: 1 }))
          .filter(({ place }) => place > 0),
      };
      for (const [index, { critical, high, medium, low }] of backlogOf(parts, flow).entries()) {
        const end = edges[index + 1] ?? 0;
        const open = findings.filter(({ bornDay, goneDay = Infinity }) => bornDay < end && goneDay >= end);
        const of = (...ranks: number[]) => open.filter(({ severity }) => ranks.includes(severity)).length;
        assert.deepEqual([critical, high, medium, low], [of(4), of(3), of(2), of(0, 1)]);
      }
      for (const [index, { opened, fixed, ignored }] of netChangeOf(parts, flow).entries()) {
        const isIn = (day = Infinity) => day >= (edges[index] ?? 0) && day < (edges[index + 1] ?? 0);
        const gone = (fate: string) => findings.filter((one) => one.fate === fate && isIn(one.goneDay)).length;
        const born = findings.filter(({ bornDay }) => isIn(bornDay)).length;
        assert.deepEqual([opened, fixed, ignored], [born, gone('fixed'), gone('ignored')]);
      }
    }),
  );
});

test('projects are ordered by count, ties by id', () => {
  const open = [
    { project_id: '10', count: 1 },
    { project_id: '9', count: 2 },
    { project_id: '10', count: 1 },
    { project_id: '8', count: 3 },
  ];
  const worst = [
    { project: '8', count: 3 },
    { project: '9', count: 2 },
    { project: '10', count: 2 },
  ];
  assert.deepEqual(worstProjectsOf(open, 9), worst);
  assert.deepEqual(worstProjectsOf(open, 1), worst.slice(0, 1));
});

test('an age has one decimal and is 0 if nothing is open', () => {
  assert.equal(ageInDays(new Date(NOW.getTime() - 1.26 * DAY_MS), NOW), 1.3);
  assert.equal(ageInDays(undefined, NOW), 0);
});
