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
/** The longest period that the report covers. */
export const ALL_TIME = '-729d';

/** From the bottom of the bars to their top. */
export const GUARDRAIL_CLASSES: readonly (ChartSeries & { definition: string })[] = [
  {
    key: 'fixed',
    label: 'Fixed',
    color: 'var(--series-2)',
    texture: 'solid',
    definition: 'Shown on the pull request, and no longer found there before it was merged.',
  },
  {
    key: 'open',
    label: 'Open',
    color: 'var(--series-1)',
    texture: 'diagonal',
    definition: 'Shown, and neither fixed nor ignored; those that were merged unresolved too.',
  },
  {
    key: 'ignored',
    label: 'Ignored',
    color: 'var(--series-3)',
    texture: 'cross',
    definition: 'Shown, and somebody decided to ignore it.',
  },
  {
    key: 'provisionallyIgnored',
    label: 'Provisionally ignored',
    color: 'var(--series-3)',
    texture: 'dots',
    definition: 'Shown, and a machine would ignore it; nobody has agreed yet.',
  },
  {
    key: 'silenced',
    label: 'Silenced',
    color: 'var(--mantine-color-dimmed)',
    texture: 'lines',
    definition: 'Held back on purpose, so developers never saw it.',
  },
];

export type GuardrailClass = 'silenced' | 'open' | 'fixed' | 'ignored' | 'provisionallyIgnored';

export interface GuardrailsReport {
  buckets: ({ timePeriod: { since: string; until: string } } & Record<GuardrailClass, number>)[];
  totalFixed: number;
  totalOpened: number;
}

/** The same of findings: what comes up again counts once in each number, so that sums are numbers of their own. */
export interface GuardrailsFindingsReport extends GuardrailsReport {
  buckets: (GuardrailsReport['buckets'][number] & { all: number })[];
  totals: Record<GuardrailClass, number>;
}

const SIZES = {
  day: 'TIME_BUCKET_SIZE_DAY',
  week: 'TIME_BUCKET_SIZE_WEEK',
  month: 'TIME_BUCKET_SIZE_MONTH',
} as const;

/** What the address asks for, as the API takes it; an end that is not named is now. */
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

/** The report as a chart. */
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
