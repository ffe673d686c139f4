import {
  type GuardrailBucket,
  type GuardrailCounts,
  MAX_REPORT_BUCKETS,
  MAX_REPORT_YEARS,
  type ReportFilter,
} from './contract.ts';

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 90;
const MAX_DAYS_BY_DAY = 31;
const MAX_DAYS_BY_WEEK = 182;

export interface ReportPeriod {
  since: Date;
  until: Date;
}

/** The requested period; by default the last 90 days. */
export function reportPeriodOf({ timePeriod: { since, until } = {} }: ReportFilter, now: Date): ReportPeriod {
  const end = until ?? now;
  // Times before 1970 cannot be represented on the wire.
  return { since: since ?? new Date(Math.max(0, end.getTime() - DEFAULT_DAYS * DAY_MS)), until: end };
}

/** The time at which states are evaluated. A report of a past period never changes. */
export const reportAsOf = ({ until }: ReportPeriod, now: Date): Date => (until < now ? until : now);

export type TimeBucketSize = 'TIME_BUCKET_SIZE_DAY' | 'TIME_BUCKET_SIZE_WEEK' | 'TIME_BUCKET_SIZE_MONTH';

export function bucketSizeOf({ since, until }: ReportPeriod): TimeBucketSize {
  const days = (until.getTime() - since.getTime()) / DAY_MS;
  if (days <= MAX_DAYS_BY_DAY) return 'TIME_BUCKET_SIZE_DAY';
  return days <= MAX_DAYS_BY_WEEK ? 'TIME_BUCKET_SIZE_WEEK' : 'TIME_BUCKET_SIZE_MONTH';
}

/** The next bucket boundary: midnight, Monday or the first of a month, in UTC. */
function nextBoundary(time: Date, size: TimeBucketSize): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (size === 'TIME_BUCKET_SIZE_MONTH') return new Date(Date.UTC(year, month + 1, 1));
  const daysToMonday = 7 - ((time.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + (size === 'TIME_BUCKET_SIZE_WEEK' ? daysToMonday : 1)));
}

/** Splits the period into contiguous half-open buckets; the first and the last are clipped to it. */
export function bucketPeriods({ since, until }: ReportPeriod, size: TimeBucketSize): ReportPeriod[] {
  const buckets: ReportPeriod[] = [];
  for (let start = since; start < until && buckets.length <= MAX_REPORT_BUCKETS; ) {
    const boundary = nextBoundary(start, size);
    const end = boundary < until ? boundary : until;
    buckets.push({ since: start, until: end });
    start = end;
  }
  return buckets;
}

/** The reason why a period is refused, or undefined (LIM-05). */
export function periodRefusal({ since, until }: ReportPeriod, size: TimeBucketSize): string | undefined {
  if (since >= until) return 'it ends before it starts';
  const latest = new Date(since);
  latest.setUTCFullYear(since.getUTCFullYear() + MAX_REPORT_YEARS);
  if (until > latest) return 'it is longer than 2 years';
  return bucketPeriods({ since, until }, size).length > MAX_REPORT_BUCKETS ? 'it has more than 400 buckets' : undefined;
}

export interface GuardrailReportCount {
  day: Date;
  class: 'silenced' | 'open' | 'fixed' | 'ignored' | 'provisionally_ignored';
  count: number;
}

const memberOf = (name: GuardrailReportCount['class']) =>
  name === 'provisionally_ignored' ? 'provisionallyIgnored' : name;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Evaluates a function for each class. */
const byClass = (count: (name: GuardrailReportCount['class']) => number): GuardrailCounts => ({
  silenced: count('silenced'),
  open: count('open'),
  fixed: count('fixed'),
  ignored: count('ignored'),
  provisionallyIgnored: count('provisionally_ignored'),
});

/** Sums daily counts into buckets. Bucket boundaries are midnights, except for the clipped ones. */
export function guardrailReport(period: readonly ReportPeriod[], counts: readonly GuardrailReportCount[]) {
  const buckets: GuardrailBucket[] = period.map((timePeriod) => ({ timePeriod, ...byClass(() => 0) }));
  for (const counted of counts) {
    const bucket = buckets.findLast(({ timePeriod }) => timePeriod.since <= counted.day) ?? buckets[0];
    if (!bucket) continue;
    bucket[memberOf(counted.class)] += counted.count;
  }
  return {
    buckets,
    totalFixed: sumOf(buckets.map(({ fixed }) => fixed)),
    totalOpened: sumOf(counts.map(({ count }) => count)),
  };
}

/** The same report by finding instead of by episode: repeated episodes of a finding count once. */
export function reportByFinding(
  { buckets, totalOpened }: ReturnType<typeof guardrailReport>,
  repeats: readonly { place?: number | undefined; class?: GuardrailReportCount['class'] | undefined; count: number }[],
) {
  const repeatsIn = (place: number | undefined, name: GuardrailReportCount['class'] | undefined) =>
    repeats.find((repeat) => repeat.place === place && repeat.class === name)?.count ?? 0;
  const totals = byClass((name) => sumOf(buckets.map((bucket) => bucket[memberOf(name)])) - repeatsIn(undefined, name));
  return {
    buckets: buckets.map(({ timePeriod, ...classes }, index) => ({
      timePeriod,
      ...byClass((name) => classes[memberOf(name)] - repeatsIn(index + 1, name)),
      all: sumOf(Object.values(classes)) - repeatsIn(index + 1, undefined),
    })),
    totals,
    totalFixed: totals.fixed,
    totalOpened: totalOpened - repeatsIn(undefined, undefined),
  };
}
