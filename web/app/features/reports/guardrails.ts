import type { ChartData, ChartSeries } from '#web/ui/charts/data/chart-data.ts';
import {
  type BucketSize,
  bucketLabel,
  bucketTitle,
  defaultBucketSize,
  isPartialBucket,
  parseTime,
} from '#web/ui/charts/data/time-buckets.ts';
import { apiFilters } from './filter-params.ts';
import type { GuardrailsSearch } from './search.ts';

export const DEFAULT_GUARDRAILS_SINCE = '-90d';
/** The longest period that the API accepts. */
export const ALL_TIME = '-729d';

/** From the bottom of the bars to the top. */
export const GUARDRAIL_CLASSES: readonly (ChartSeries & { definition: string })[] = [
  {
    key: 'fixed',
    label: 'Fixed',
    color: 'var(--series-2)',
    texture: 'solid',
    definition: 'Reported on the pull request, and no longer found there before it was merged.',
  },
  {
    key: 'open',
    label: 'Open',
    color: 'var(--series-1)',
    texture: 'diagonal',
    definition: 'Reported, and neither fixed nor ignored, including those that were merged unresolved.',
  },
  {
    key: 'ignored',
    label: 'Ignored',
    color: 'var(--series-3)',
    texture: 'cross',
    definition: 'Reported, and a person ignored it.',
  },
  {
    key: 'provisionallyIgnored',
    label: 'Provisionally ignored',
    color: 'var(--series-3)',
    texture: 'dots',
    definition: 'Reported, and provisionally ignored by AI; not confirmed by a person yet.',
  },
  {
    key: 'silenced',
    label: 'Silenced',
    color: 'var(--mantine-color-dimmed)',
    texture: 'lines',
    definition: 'Deliberately not reported, so developers never saw it.',
  },
];

export type GuardrailClass = 'silenced' | 'open' | 'fixed' | 'ignored' | 'provisionallyIgnored';

export interface GuardrailsReport {
  buckets: ({ timePeriod: { since: string; until: string } } & Record<GuardrailClass, number>)[];
  totalFixed: number;
  totalOpened: number;
}

/** The report in findings instead of appearances: a finding counts once per number, so totals are not sums. */
export interface GuardrailsFindingsReport extends GuardrailsReport {
  buckets: (GuardrailsReport['buckets'][number] & { all: number })[];
  totals: Record<GuardrailClass, number>;
}

const SIZES = {
  day: 'TIME_BUCKET_SIZE_DAY',
  week: 'TIME_BUCKET_SIZE_WEEK',
  month: 'TIME_BUCKET_SIZE_MONTH',
} as const;

/** The request for a URL's parameters; without `until` the report ends now. */
export function guardrailsRequest(search: GuardrailsSearch, now: Date) {
  const since = parseTime(search.since ?? DEFAULT_GUARDRAILS_SINCE, now);
  const until = parseTime(search.until, now);
  return {
    filters: {
      ...apiFilters(search),
      timePeriod: {
        ...(since ? { since: since.toISOString() } : {}),
        ...(until ? { until: until.toISOString() } : {}),
      },
      ...(search.bucket ? { timeBucketSize: SIZES[search.bucket] } : {}),
    },
  };
}

export function guardrailsBucketSize(search: GuardrailsSearch, now: Date): BucketSize {
  const since = parseTime(search.since ?? DEFAULT_GUARDRAILS_SINCE, now) ?? now;
  return search.bucket ?? defaultBucketSize(since, parseTime(search.until, now) ?? now);
}

/** The report as chart data. */
export function guardrailsChart({ buckets }: GuardrailsReport, size: BucketSize): ChartData {
  return {
    series: GUARDRAIL_CLASSES,
    buckets: buckets.map(({ timePeriod, ...values }) => {
      const [start, end] = [new Date(timePeriod.since), new Date(timePeriod.until)];
      return {
        label: bucketLabel(start, size),
        title: bucketTitle(start, end, size),
        isPartial: isPartialBucket(start, end, size),
        values,
      };
    }),
  };
}
