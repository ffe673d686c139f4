import type { ChartData, ChartSeries, FindingsBehindMark } from '#web/ui/charts/data/chart-data.ts';
import {
  type BucketSize,
  bucketLabel,
  bucketTitle,
  defaultBucketSize,
  isPartialBucket,
  parseTime,
} from '#web/ui/charts/data/time-buckets.ts';
import type { OverviewSearch } from './search.ts';

export const DEFAULT_OVERVIEW_SINCE = '-90d';

const BUCKETS = { day: 'BUCKET_DAY', week: 'BUCKET_WEEK', month: 'BUCKET_MONTH' } as const;

interface BucketSpan {
  start: string;
  end: string;
}
/** Counts by name, and the filter of each count under the same name. */
type CountedBucket<Name extends string> = BucketSpan & Record<Name, number> & { q: Record<Name, string> };
type BacklogBucket = CountedBucket<'critical' | 'high' | 'medium' | 'low'>;
type ChangeBucket = CountedBucket<'opened' | 'fixed' | 'ignored'>;

/** The bucket size in the URL, else the default for the period. */
export function overviewBucketSize(search: OverviewSearch, now: Date): BucketSize {
  const since = parseTime(search.since ?? DEFAULT_OVERVIEW_SINCE, now) ?? now;
  return search.bucket ?? defaultBucketSize(since, parseTime(search.until, now) ?? now);
}

/** The request for a URL's parameters. */
export function overviewRequest(search: OverviewSearch, now: Date) {
  const until = parseTime(search.until, now);
  return {
    since: (parseTime(search.since ?? DEFAULT_OVERVIEW_SINCE, now) ?? now).toISOString(),
    ...(until ? { until: until.toISOString() } : {}),
    bucket: BUCKETS[overviewBucketSize(search, now)],
    ...(search.q === undefined ? {} : { q: search.q }),
  };
}

const BACKLOG: readonly ChartSeries[] = [
  { key: 'critical', label: 'Critical', color: 'var(--sev-critical-fg)', texture: 'solid' },
  { key: 'high', label: 'High', color: 'var(--sev-high-fg)', texture: 'cross' },
  { key: 'medium', label: 'Medium', color: 'var(--sev-medium-fg)', texture: 'diagonal' },
  { key: 'low', label: 'Low', color: 'var(--sev-low-fg)', texture: 'dots' },
];

const CHANGE: readonly ChartSeries[] = [
  { key: 'opened', label: 'Opened', color: 'var(--series-1)', texture: 'diagonal' },
  { key: 'fixed', label: 'Fixed', color: 'var(--series-2)', texture: 'solid', isBelow: true },
  { key: 'ignored', label: 'Ignored', color: 'var(--series-3)', texture: 'cross', isBelow: true },
];

function chartOf<Bucket extends BucketSpan>(
  series: readonly ChartSeries[],
  buckets: readonly Bucket[],
  { size, valuesOf }: { size: BucketSize; valuesOf: (bucket: Bucket) => Record<string, number> },
): ChartData {
  return {
    series,
    buckets: buckets.map((bucket) => {
      const [start, end] = [new Date(bucket.start), new Date(bucket.end)];
      return {
        label: bucketLabel(start, size),
        title: bucketTitle(start, end, size),
        isPartial: isPartialBucket(start, end, size),
        values: valuesOf(bucket),
      };
    }),
  };
}

/** Open findings at the end of each bucket. */
export const backlogChart = (buckets: readonly BacklogBucket[], size: BucketSize): ChartData =>
  chartOf(BACKLOG, buckets, {
    size,
    valuesOf: ({ critical, high, medium, low }) => ({ critical, high, medium, low }),
  });

/** Findings opened, fixed and ignored in each bucket. */
export const changeChart = (buckets: readonly ChangeBucket[], size: BucketSize): ChartData =>
  chartOf(CHANGE, buckets, { size, valuesOf: ({ opened, fixed, ignored }) => ({ opened, fixed, ignored }) });

/** The lists of findings that the marks of a chart link to. */
export const bucketLinkTargets =
  (buckets: readonly { q: Readonly<Record<string, string>> }[]): FindingsBehindMark =>
  (bucket, series) => {
    const q = buckets[bucket]?.q[series];
    return q === undefined ? undefined : { q };
  };

export const netChanges = (buckets: readonly Record<'opened' | 'fixed' | 'ignored', number>[]): number[] =>
  buckets.map(({ opened, fixed, ignored }) => opened - fixed - ignored);

export const signedNumber = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0');
