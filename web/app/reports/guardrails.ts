import type { ChartData, Series } from '#web/charts/data.ts';
import { type BucketSize, bucketLabel, bucketTitle, isPartial, momentOf, sizeFor } from '#web/charts/periods.ts';
import { apiFilters } from './filters.ts';
import type { GuardrailsSearch } from './search.ts';

export const DEFAULT_SINCE = '-90d';
/** The longest period that the report covers. */
export const ALL_TIME = '-729d';

/** From the bottom of the bars to their top. */
export const CLASSES: readonly (Series & { definition: string })[] = [
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

export type ClassName = 'silenced' | 'open' | 'fixed' | 'ignored' | 'provisionallyIgnored';

export interface Reply {
  buckets: ({ timePeriod: { since: string; until: string } } & Record<ClassName, number>)[];
  totalFixed: number;
  totalOpened: number;
}

/** The same of findings: what comes up again counts once in each number, so that sums are numbers of their own. */
export interface FindingsReply extends Reply {
  buckets: (Reply['buckets'][number] & { all: number })[];
  totals: Record<ClassName, number>;
}

const SIZES = {
  day: 'TIME_BUCKET_SIZE_DAY',
  week: 'TIME_BUCKET_SIZE_WEEK',
  month: 'TIME_BUCKET_SIZE_MONTH',
} as const;

/** What the address asks for, as the API takes it; an end that is not named is now. */
export function bodyOf(search: GuardrailsSearch, now: Date) {
  const since = momentOf(search.since ?? DEFAULT_SINCE, now);
  const until = momentOf(search.until, now);
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

export function sizeOf(search: GuardrailsSearch, now: Date): BucketSize {
  const since = momentOf(search.since ?? DEFAULT_SINCE, now) ?? now;
  return search.bucket ?? sizeFor(since, momentOf(search.until, now) ?? now);
}

/** The report as a chart. */
export function chartOf({ buckets }: Reply, size: BucketSize): ChartData {
  return {
    series: CLASSES,
    buckets: buckets.map(({ timePeriod, ...values }) => {
      const [start, end] = [new Date(timePeriod.since), new Date(timePeriod.until)];
      return {
        label: bucketLabel(start, size),
        title: bucketTitle(start, end, size),
        isPartial: isPartial(start, end, size),
        values,
      };
    }),
  };
}
