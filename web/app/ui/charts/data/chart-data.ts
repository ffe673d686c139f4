import { formatNumber } from '#web/foundation/format/format-number.ts';

/** How a series looks beside its colour: shape carries the meaning too. */
export type ChartTexture = 'solid' | 'diagonal' | 'dots' | 'cross' | 'lines' | 'light';

export interface ChartSeries {
  key: string;
  label: string;
  /** A colour of the theme, such as `var(--series-1)`. */
  color: string;
  texture: ChartTexture;
  /** Counts downwards from zero. */
  isBelow?: boolean;
}

export interface ChartBucket {
  /** Short, for the axis. */
  label: string;
  /** Whole, for people who hear it and for the table. */
  title: string;
  /** Shorter than the others: the period starts or ends within it, or it is not over. */
  isPartial: boolean;
  values: Readonly<Record<string, number>>;
}

/** What a chart shows; six series at most. */
export interface ChartData {
  series: readonly ChartSeries[];
  buckets: readonly ChartBucket[];
}

/** The findings behind a number: the filter of their list, and how many it has where the number counts otherwise. */
export interface FindingsBehind {
  q: string;
  findings?: number | undefined;
}

/** What is behind a number of a chart, or undefined where no list shows it. */
export type FindingsBehindMark = (bucket: number, series: string) => FindingsBehind | undefined;

/** The same of a sum: over all buckets or all series, where none is named. */
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

/** In how many findings something was counted, where these are fewer than the count. */
export const findingCountText = (count: number, findings: number | undefined): string =>
  findings === undefined || findings === count
    ? ''
    : `in ${formatNumber(findings)} finding${findings === 1 ? '' : 's'}`;

/** What one mark says. */
export function describeMark(bucket: ChartBucket, { key, label }: ChartSeries, findings?: number): string {
  const count = bucketValue(bucket, key);
  const within = findingCountText(count, findings);
  return `${bucket.title}: ${label} ${formatNumber(count)}${within && `, ${within}`}`;
}

/** What one bucket says, all of its series at once. */
export function describeBucket(bucket: ChartBucket, series: readonly ChartSeries[]): string {
  return series.map(({ key, label }) => `${label} ${formatNumber(bucketValue(bucket, key))}`).join(' · ');
}

const first = <Item>(items: readonly Item[]): Item | undefined => items[0];

/** Counts that add up over time, in one sentence. */
export function summarizeCounts(what: string, data: ChartData): string {
  const { buckets, series } = data;
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: nothing to show.`;
  const total = chartTotal(data);
  const most = buckets.reduce((best, bucket) =>
    bucketTotal(bucket, series) > bucketTotal(best, series) ? bucket : best,
  );
  const parts = series.map(({ key, label }) => `${label} ${formatNumber(seriesTotal(data, key))}`).join(', ');
  const whole = `${formatNumber(total)} in all, the most in ${most.title} (${formatNumber(bucketTotal(most, series))})`;
  return `${what} from ${start.title} to ${end.title}: ${whole}. ${parts}.`;
}

/** A stock that is there at the end of each bucket, in one sentence. */
export function summarizeLevels(what: string, { buckets, series }: ChartData): string {
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: nothing to show.`;
  const [before, after] = [bucketTotal(start, series), bucketTotal(end, series)];
  const course = before === after ? 'as many as' : after > before ? 'up from' : 'down from';
  const now = `${formatNumber(after)} at the end of ${end.title}`;
  const then = `${formatNumber(before)} at the end of ${start.title}`;
  return `${what}: ${now}, ${course} ${then}. Now ${describeBucket(end, series).replaceAll(' · ', ', ')}.`;
}
