import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ChartData, summarizeCounts, summarizeLevels } from '../data/chart-data.ts';
import { chartBox, layoutLines, layoutStackedAreas, layoutStackedBars, thinLabels } from './chart-layout.ts';
import { endLabels, spreadLabels } from './end-labels.ts';

const series = [
  { key: 'open', label: 'Open', color: 'var(--series-1)', texture: 'solid' },
  { key: 'fixed', label: 'Fixed', color: 'var(--series-2)', texture: 'dots' },
] as const;
const dataOf = (values: [number, number][], isBelow = false): ChartData => ({
  series: series.map((one) => ({ ...one, isBelow: isBelow && one.key === 'fixed' })),
  buckets: values.map(([open, fixed], index) => ({
    label: `${index}`,
    title: `week ${index}`,
    isPartial: false,
    values: { open, fixed },
  })),
});
const values = fc.array(fc.tuple(fc.nat(10_000), fc.nat(10_000)), { minLength: 1, maxLength: 60 });
const widths = fc.integer({ min: 280, max: 1600 });

test('bar heights are proportional to their values and stay within the chart box', () => {
  fc.assert(
    fc.property(values, widths, fc.boolean(), (given, width, isBelow) => {
      const box = chartBox(width, 240);
      const { marks, y: heightOf } = layoutStackedBars(dataOf(given, isBelow), box);
      const base = heightOf(0);
      const most = Math.max(...marks.map(({ value }) => value));
      const unit = (marks.find(({ value }) => value === most)?.height ?? 0) / Math.max(1, most);
      for (const { value, height, x, y, width: wide } of marks) {
        assert.ok(Math.abs(height - value * unit) < 0.01);
        assert.ok(x >= box.left && x + wide <= width - box.right + 0.01);
        assert.ok(y >= box.top - 0.01 && y + height <= box.height - box.bottom + 0.01);
      }
      assert.ok(base >= box.top - 0.01 && base <= box.height - box.bottom + 0.01);
    }),
  );
});

test('stacked bar segments have no gap or overlap', () => {
  const { marks } = layoutStackedBars(dataOf([[3, 2]]), chartBox(600, 240));
  const [open, fixed] = marks;
  assert.ok(open && fixed);
  assert.ok(Math.abs(fixed.y + fixed.height - open.y) < 0.01);
});

test('a series that counts down is drawn below zero', () => {
  const { marks, y } = layoutStackedBars(dataOf([[3, 2]], true), chartBox(600, 240));
  const base = y(0);
  const [open, fixed] = marks;
  assert.ok(open && fixed);
  assert.ok(Math.abs(open.y + open.height - base) < 0.01 && Math.abs(fixed.y - base) < 0.01);
});

test('ticks are integers, and an empty chart still has an axis', () => {
  const { yTicks } = layoutStackedBars(dataOf([[0, 0]]), chartBox(600, 240));
  assert.deepEqual(
    yTicks.map(({ text }) => text),
    ['0', '1'],
  );
  const { yTicks: many } = layoutStackedBars(dataOf([[12_000, 0]]), chartBox(600, 240));
  assert.ok(many.length >= 3 && many.every(({ text }) => /^[\d,]+$/.test(text)));
});

test('axis labels do not overlap, and the last bucket always has one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 2, max: 80 }), (count, step) => {
      const labels = Array.from({ length: count }, () => '12 Sep');
      const shown = thinLabels(labels, step);
      assert.equal(shown.at(-1), count - 1);
      for (const [index, at] of shown.entries()) {
        const before = shown[index - 1];
        if (before !== undefined) assert.ok((at - before) * step >= 6 * 7);
      }
    }),
  );
});

test('side labels keep a minimum distance and stay within the chart if they fit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 6 }), (wanted) => {
      const placed = spreadLabels(wanted, 17, [0, 200]).toSorted((a, b) => a - b);
      for (const [index, at] of placed.entries()) {
        assert.ok(at >= -0.01 && at <= 200.01);
        if (index > 0) assert.ok(at - (placed[index - 1] ?? 0) >= 16.99);
      }
    }),
  );
});

test('side labels follow the stacking order, even for empty series', () => {
  const data = dataOf([[0, 0]]);
  const [open, fixed] = endLabels(data, layoutStackedBars(data, chartBox(800, 240, ['Open', 'Fixed'])));
  assert.ok(open && fixed && open.y > fixed.y);
  assert.equal(open.from, undefined);
});

test('area and line charts have a path per series and a mark per value', () => {
  const data = dataOf([
    [1, 2],
    [3, 4],
  ]);
  for (const chart of [layoutStackedAreas(data, chartBox(600, 240)), layoutLines(data, chartBox(600, 240))]) {
    assert.equal(chart.marks.length, 4);
    assert.deepEqual(
      chart.paths.map(({ edge }) => edge.startsWith('M')),
      [true, true],
    );
    assert.equal(endLabels(data, chart).length, 2);
  }
});

test('a chart is summarized in a sentence', () => {
  const data = dataOf([
    [1, 2],
    [3, 4],
  ]);
  assert.equal(
    summarizeCounts('Findings per week', data),
    'Findings per week from week 0 to week 1: 10 in total, peak of 7 in week 1. Open 4, Fixed 6.',
  );
  assert.match(summarizeLevels('Backlog', data), /7 at the end of week 1, up from 3 at the end of week 0/);
  assert.match(summarizeCounts('Findings', { series, buckets: [] }), /no data/);
});
