import type { ChartData, ChartSeries } from '../data/chart-data.ts';
import type { ChartLayout } from './chart-layout.ts';

/** Places labels as close as possible to their preferred positions without overlap. */
export function spreadLabels(
  preferred: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = preferred.map((_, index) => index).sort((a, b) => (preferred[a] ?? 0) - (preferred[b] ?? 0));
  const placed = new Array<number>(preferred.length).fill(0);
  let next = low;
  for (const index of order) {
    placed[index] = Math.max(preferred[index] ?? 0, next);
    next = (placed[index] ?? 0) + gap;
  }
  let last = high;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, last);
    last = (placed[index] ?? 0) - gap;
  }
  return placed;
}

export interface EndLabel {
  series: ChartSeries;
  /** The middle of the last mark, where the leader line starts; undefined if that mark is empty. */
  from: { x: number; y: number } | undefined;
  y: number;
}

const LABEL_GAP = 17;
/** Less than a pixel: keeps labels with the same preferred position in stacking order. */
const NUDGE = 0.001;

/** Labels for the series beside their last marks, in stacking order. */
export function endLabels({ series, buckets }: ChartData, { marks, box, y }: ChartLayout): EndLabel[] {
  const last = new Map(
    marks.filter(({ bucket }) => bucket === buckets.length - 1).map((mark) => [mark.series, mark] as const),
  );
  const edges = { above: y(0), below: y(0) };
  const middles = series.map(({ key, isBelow = false }, index) => {
    const mark = last.get(key);
    const [side, nudge] = isBelow ? (['below', index * NUDGE] as const) : (['above', -index * NUDGE] as const);
    if (!mark || mark.value === 0) return edges[side] + nudge;
    edges[side] = isBelow ? mark.y + mark.height : mark.y;
    return mark.y + mark.height / 2 + nudge;
  });
  const ys = spreadLabels(middles, LABEL_GAP, [box.top + 6, box.height - box.bottom]);
  return series.map((item, index) => {
    const mark = last.get(item.key);
    const from = mark && mark.value > 0 ? { x: mark.x + mark.width, y: middles[index] ?? 0 } : undefined;
    return { series: item, from, y: ys[index] ?? 0 };
  });
}
