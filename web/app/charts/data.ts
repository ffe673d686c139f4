import { numberText } from '#web/parts/number-text.ts';

/** How a series looks beside its colour: shape carries the meaning too. */
export type Texture = 'solid' | 'diagonal' | 'dots' | 'cross' | 'lines' | 'light';

export interface Series {
  key: string;
  label: string;
  /** A colour of the theme, such as `var(--series-1)`. */
  color: string;
  texture: Texture;
  /** Counts downwards from zero. */
  isBelow?: boolean;
}

export interface Bucket {
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
  series: readonly Series[];
  buckets: readonly Bucket[];
}

/** The findings behind a number: the filter of their list, and how many it has where the number counts otherwise. */
export interface Behind {
  q: string;
  findings?: number | undefined;
}

/** What is behind a number of a chart, or undefined where no list shows it. */
export type BehindOf = (bucket: number, series: string) => Behind | undefined;

/** The same of a sum: over all buckets or all series, where none is named. */
export type BehindSum = (sum: { bucket?: number; series?: string }) => Behind | undefined;

export const countOf = ({ values }: Bucket, key: string): number => values[key] ?? 0;

export const totalOfBucket = (bucket: Bucket, series: readonly Series[]): number =>
  series.reduce((sum, { key }) => sum + countOf(bucket, key), 0);

export const totalOfSeries = ({ buckets }: ChartData, key: string): number =>
  buckets.reduce((sum, bucket) => sum + countOf(bucket, key), 0);

export const totalOf = ({ buckets, series }: ChartData): number =>
  buckets.reduce((sum, bucket) => sum + totalOfBucket(bucket, series), 0);

export const isEmpty = ({ buckets, series }: ChartData): boolean =>
  buckets.every((bucket) => totalOfBucket(bucket, series) === 0);

/** In how many findings something was counted, where these are fewer than the count. */
export const withinText = (count: number, findings: number | undefined): string =>
  findings === undefined || findings === count ? '' : `in ${numberText(findings)} finding${findings === 1 ? '' : 's'}`;

/** What one mark says. */
export function markText(bucket: Bucket, { key, label }: Series, findings?: number): string {
  const count = countOf(bucket, key);
  const within = withinText(count, findings);
  return `${bucket.title}: ${label} ${numberText(count)}${within && `, ${within}`}`;
}

/** What one bucket says, all of its series at once. */
export function bucketText(bucket: Bucket, series: readonly Series[]): string {
  return series.map(({ key, label }) => `${label} ${numberText(countOf(bucket, key))}`).join(' · ');
}

const first = <Item>(items: readonly Item[]): Item | undefined => items[0];

/** Counts that add up over time, in one sentence. */
export function summaryOfCounts(what: string, data: ChartData): string {
  const { buckets, series } = data;
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: nothing to show.`;
  const total = totalOf(data);
  const most = buckets.reduce((best, bucket) =>
    totalOfBucket(bucket, series) > totalOfBucket(best, series) ? bucket : best,
  );
  const parts = series.map(({ key, label }) => `${label} ${numberText(totalOfSeries(data, key))}`).join(', ');
  const whole = `${numberText(total)} in all, the most in ${most.title} (${numberText(totalOfBucket(most, series))})`;
  return `${what} from ${start.title} to ${end.title}: ${whole}. ${parts}.`;
}

/** A stock that is there at the end of each bucket, in one sentence. */
export function summaryOfLevels(what: string, { buckets, series }: ChartData): string {
  const [start, end] = [first(buckets), buckets.at(-1)];
  if (!start || !end) return `${what}: nothing to show.`;
  const [before, after] = [totalOfBucket(start, series), totalOfBucket(end, series)];
  const course = before === after ? 'as many as' : after > before ? 'up from' : 'down from';
  const now = `${numberText(after)} at the end of ${end.title}`;
  const then = `${numberText(before)} at the end of ${start.title}`;
  return `${what}: ${now}, ${course} ${then}. Now ${bucketText(end, series).replaceAll(' · ', ', ')}.`;
}
