import { formatNumber } from '#web/foundation/format/format-number.ts';

/** The fill pattern of a series, so that series are distinguishable without color. */
export type ChartTexture = 'solid' | 'diagonal' | 'dots' | 'cross' | 'lines' | 'light';

export interface ChartSeries {
  key: string;
  label: string;
  /** A theme color, such as `var(--series-1)`. */
  color: string;
  texture: ChartTexture;
  /** Drawn downwards from zero. */
  isBelow?: boolean;
}

export interface ChartBucket {
  /** Short label for the axis. */
  label: string;
  /** Full label for screen readers and the table. */
  title: string;
  /** Covers less time than the others, because the period starts or ends within it or it is not over yet. */
  isPartial: boolean;
  values: Readonly<Record<string, number>>;
}

/** The data of a chart; at most six series. */
export interface ChartData {
  series: readonly ChartSeries[];
  buckets: readonly ChartBucket[];
}

/** The findings behind a number: the filter that lists them, and their count if it differs from the number. */
export interface FindingsBehind {
  q: string;
  findings?: number | undefined;
}

/** Returns the findings behind a mark of the chart, or undefined if no list shows them. */
export type FindingsBehindMark = (bucket: number, series: string) => FindingsBehind | undefined;

/** The same for a total: over all buckets or all series unless one is given. */
export type FindingsBehindTotal = (sum: { bucket?: number; series?: string }) => FindingsBehind | undefined;

export const bucketValue = ({ values }: ChartBucket, key: string): number => values[key] ?? 0;

export const bucketTotal = (bucket: ChartBucket, series: readonly ChartSeries[]): number =>
  series.reduce((sum, { key }) => sum + bucketValue(bucket, key), 0);

export const seriesTotal = ({ buckets }: ChartData, key: string): number =>
  buckets.reduce((sum, bucket) => sum + bucketValue(bucket, key), 0);

export const chartTotal = ({ buckets, series }: ChartData): number =>
  buckets.reduce((sum, bucket) => sum + bucketTotal(bucket, series), 0);

export const isChartEmpty = ({ buckets, series }: ChartData): boolean =>
  buckets.every((bucket) => bucketTotal(bucket, series) === 0);

/** "in 3 findings", if the number of findings differs from the count; otherwise empty. */
export const findingCountText = (count: number, findings: number | undefined): string =>
  findings === undefined || findings === count
    ? ''
    : `in ${formatNumber(findings)} finding${findings === 1 ? '' : 's'}`;

/** The accessible text of a mark. */
export function describeMark(bucket: ChartBucket, { key, label }: ChartSeries, findings?: number): string {
  const count = bucketValue(bucket, key);
  const within = findingCountText(count, findings);
  return `${bucket.title}: ${label} ${formatNumber(count)}${within && `, ${within}`}`;
}

/** All values of a bucket in one line. */
export function describeBucket(bucket: ChartBucket, series: readonly ChartSeries[]): string {
  return series.map(({ key, label }) => `${label} ${formatNumber(bucketValue(bucket, key))}`).join(' · ');
}

const first = <Item>(items: readonly Item[]): Item | undefined => items[0];

/** Summarizes counts that add up over time in one sentence. */
export function summarizeCounts(what: string, data: ChartData): string {
  const { buckets, series } = data;
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: no data.`;
  const total = chartTotal(data);
  const peak = buckets.reduce((best, bucket) =>
    bucketTotal(bucket, series) > bucketTotal(best, series) ? bucket : best,
  );
  const parts = series.map(({ key, label }) => `${label} ${formatNumber(seriesTotal(data, key))}`).join(', ');
  const peakTotal = formatNumber(bucketTotal(peak, series));
  const totals = `${formatNumber(total)} in total, peak of ${peakTotal} in ${peak.title}`;
  return `${what} from ${start.title} to ${end.title}: ${totals}. ${parts}.`;
}

/** Summarizes levels at the end of each bucket in one sentence. */
export function summarizeLevels(what: string, { buckets, series }: ChartData): string {
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: no data.`;
  const [before, after] = [bucketTotal(start, series), bucketTotal(end, series)];
  const course = before === after ? 'unchanged from' : after > before ? 'up from' : 'down from';
  const now = `${formatNumber(after)} at the end of ${end.title}`;
  const then = `${formatNumber(before)} at the end of ${start.title}`;
  return `${what}: ${now}, ${course} ${then}. Now ${describeBucket(end, series).replaceAll(' · ', ', ')}.`;
}
