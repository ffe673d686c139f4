import { max, min } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, line, type Series as Stacked, stack, stackOffsetDiverging, stackOrderNone } from 'd3-shape';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { bucketValue, type ChartBucket, type ChartData } from '../data/chart-data.ts';

/** The size of a chart and the margins around its plot area. */
export interface ChartBox {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The rectangle of a value: what is drawn and what can be hovered. */
export interface ChartMark {
  bucket: number;
  series: string;
  value: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface AxisTick {
  at: number;
  text: string;
}

const MIN_WIDTH_FOR_LABELS = 560;
const LETTER_WIDTH = 7;

/** Wide charts label their series at the side; narrow ones use the legend. */
export const hasSideLabels = (width: number): boolean => width >= MIN_WIDTH_FOR_LABELS;

/** Computes the chart box, with space for side labels if the chart is wide enough. */
export function chartBox(width: number, height: number, names: readonly string[] = []): ChartBox {
  const column =
    hasSideLabels(width) && names.length > 0 ? 40 + LETTER_WIDTH * (max(names, ({ length }) => length) ?? 0) : 8;
  return { width, height, left: 44, right: column, top: 10, bottom: 26 };
}

const bandsOf = (count: number, { left, width, right }: ChartBox) =>
  scaleBand<number>()
    .domain(Array.from({ length: count }, (_, index) => index))
    .range([left, width - right])
    .paddingInner(count > 60 ? 0.1 : 0.25)
    .paddingOuter(0.1);

type Bands = ReturnType<typeof bandsOf>;

const heightsOf = (lowest: number, highest: number, { top, height, bottom }: ChartBox) =>
  scaleLinear()
    .domain([Math.min(0, lowest), Math.max(highest, lowest < 0 ? 0 : 1)])
    .nice(5)
    .range([height - bottom, top]);

const ticksOf = (scale: ReturnType<typeof heightsOf>): AxisTick[] =>
  scale
    .ticks(5)
    .filter(Number.isInteger)
    .map((value) => ({ at: scale(value), text: formatNumber(Math.abs(value)) }));

/** The indexes of the axis labels that fit without overlap; always includes the last one. */
export function thinLabels(labels: readonly string[], step: number): number[] {
  const longest = max(labels, (label) => label.length) ?? 1;
  const every = Math.max(1, Math.ceil(((longest + 2) * LETTER_WIDTH) / Math.max(step, 1)));
  return labels.map((_, index) => index).filter((index) => (labels.length - 1 - index) % every === 0);
}

function xTicksOf(buckets: readonly ChartBucket[], bands: Bands): AxisTick[] {
  const shown = thinLabels(
    buckets.map(({ label }) => label),
    bands.step(),
  );
  return shown.map((index) => ({ at: (bands(index) ?? 0) + bands.bandwidth() / 2, text: buckets[index]?.label ?? '' }));
}

type StackLayer = Stacked<ChartBucket, string>;

const stackLayers = ({ series, buckets }: ChartData): StackLayer[] => {
  const isBelow = new Set(series.filter(({ isBelow }) => isBelow).map(({ key }) => key));
  return stack<ChartBucket, string>()
    .keys(series.map(({ key }) => key))
    .value((bucket, key) => (isBelow.has(key) ? -bucketValue(bucket, key) : bucketValue(bucket, key)))
    .order(stackOrderNone)
    .offset(stackOffsetDiverging)(buckets as ChartBucket[]);
};

export interface ChartLayout {
  box: ChartBox;
  marks: ChartMark[];
  yTicks: AxisTick[];
  xTicks: AxisTick[];
  /** The y coordinate of a value. */
  y: (value: number) => number;
  /** The area and line of each series, for area and line charts. */
  paths: { series: string; area: string; edge: string }[];
  columns: { x: number; width: number }[];
}

function partsOf(data: ChartData, box: ChartBox) {
  const layers = stackLayers(data);
  const ends = layers.flatMap((layer) => layer.flatMap((point) => [point[0], point[1]]));
  const heights = heightsOf(min(ends) ?? 0, max(ends) ?? 0, box);
  return { layers, heights, bands: bandsOf(data.buckets.length, box) };
}

const columnsOf = (count: number, bands: Bands) =>
  Array.from({ length: count }, (_, index) => ({
    x: (bands(index) ?? 0) + bands.bandwidth() / 2 - bands.step() / 2,
    width: bands.step(),
  }));

/** Lays out stacked bars; series marked as below are stacked downwards from zero. */
export function layoutStackedBars(data: ChartData, box: ChartBox): ChartLayout {
  const { layers, heights, bands } = partsOf(data, box);
  const marks = layers.flatMap((layer) =>
    layer.map(([low, high], bucket): ChartMark => {
      const [y, bottom] = [heights(Math.max(low, high)), heights(Math.min(low, high))];
      const [x, width] = [bands(bucket) ?? 0, bands.bandwidth()];
      return { bucket, series: layer.key, value: Math.abs(high - low), x, y, width, height: bottom - y };
    }),
  );
  return {
    box,
    marks,
    yTicks: ticksOf(heights),
    xTicks: xTicksOf(data.buckets, bands),
    y: heights,
    paths: [],
    columns: columnsOf(data.buckets.length, bands),
  };
}

/** Lays out stacked areas, for levels over time. */
export function layoutStackedAreas(data: ChartData, box: ChartBox): ChartLayout {
  const { layers, heights, bands } = partsOf(data, box);
  const x = (index: number) => (bands(index) ?? 0) + bands.bandwidth() / 2;
  const bars = layoutStackedBars(data, box);
  const paths = layers.map((layer) => ({
    series: layer.key,
    area:
      area<(typeof layer)[number]>()
        .x((_, index) => x(index))
        .y0(([low]) => heights(low))
        .y1(([, high]) => heights(high))(layer) ?? '',
    edge:
      line<(typeof layer)[number]>()
        .x((_, index) => x(index))
        .y(([, high]) => heights(high))(layer) ?? '',
  }));
  return { ...bars, paths };
}

const DOT_SIZE = 8;

/** Lays out independent lines. */
export function layoutLines(data: ChartData, box: ChartBox): ChartLayout {
  const { series, buckets } = data;
  const highest = max(series, ({ key }) => max(buckets, (bucket) => bucketValue(bucket, key))) ?? 0;
  const lowest = min(series, ({ key }) => min(buckets, (bucket) => bucketValue(bucket, key))) ?? 0;
  const heights = heightsOf(lowest, highest, box);
  const bands = bandsOf(buckets.length, box);
  const x = (index: number) => (bands(index) ?? 0) + bands.bandwidth() / 2;
  const marks = series.flatMap(({ key }) =>
    buckets.map((bucket, index): ChartMark => {
      const value = bucketValue(bucket, key);
      const [left, top] = [x(index) - DOT_SIZE / 2, heights(value) - DOT_SIZE / 2];
      return { bucket: index, series: key, value, x: left, y: top, width: DOT_SIZE, height: DOT_SIZE };
    }),
  );
  const paths = series.map(({ key }) => ({
    series: key,
    area: '',
    edge:
      line<ChartBucket>()
        .x((_, index) => x(index))
        .y((bucket) => heights(bucketValue(bucket, key)))([...buckets]) ?? '',
  }));
  return {
    box,
    marks,
    yTicks: ticksOf(heights),
    xTicks: xTicksOf(buckets, bands),
    y: heights,
    paths,
    columns: columnsOf(buckets.length, bands),
  };
}
