import { type Bucket, type Classes, type Filters, MOST_BUCKETS, MOST_YEARS } from './contract.ts';

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 90;
const MOST_DAYS_BY_DAY = 31;
const MOST_DAYS_BY_WEEK = 182;

export interface Period {
  since: Date;
  until: Date;
}

/** The period that is asked for: it ends now and has 90 days where nothing else is said. */
export function periodOf({ timePeriod: { since, until } = {} }: Filters, now: Date): Period {
  const end = until ?? now;
  // No moment before 1970 can be told.
  return { since: since ?? new Date(Math.max(0, end.getTime() - DEFAULT_DAYS * DAY_MS)), until: end };
}

/** The moment whose states count: a report whose end has passed never changes. */
export const asOf = ({ until }: Period, now: Date): Date => (until < now ? until : now);

export type Size = 'TIME_BUCKET_SIZE_DAY' | 'TIME_BUCKET_SIZE_WEEK' | 'TIME_BUCKET_SIZE_MONTH';

export function sizeOf({ since, until }: Period): Size {
  const days = (until.getTime() - since.getTime()) / DAY_MS;
  if (days <= MOST_DAYS_BY_DAY) return 'TIME_BUCKET_SIZE_DAY';
  return days <= MOST_DAYS_BY_WEEK ? 'TIME_BUCKET_SIZE_WEEK' : 'TIME_BUCKET_SIZE_MONTH';
}

/** The first edge after a moment: midnight, Monday or the first of a month, in UTC. */
function edgeAfter(time: Date, size: Size): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (size === 'TIME_BUCKET_SIZE_MONTH') return new Date(Date.UTC(year, month + 1, 1));
  const daysToMonday = 7 - ((time.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + (size === 'TIME_BUCKET_SIZE_WEEK' ? daysToMonday : 1)));
}

/** Contiguous half-open pieces of the period; the first and the last are clipped to it. */
export function pieces({ since, until }: Period, size: Size): Period[] {
  const found: Period[] = [];
  for (let start = since; start < until && found.length <= MOST_BUCKETS; ) {
    const edge = edgeAfter(start, size);
    const end = edge < until ? edge : until;
    found.push({ since: start, until: end });
    start = end;
  }
  return found;
}

/** Why a period is refused, or undefined (LIM-05). */
export function refusalOf({ since, until }: Period, size: Size): string | undefined {
  if (since >= until) return 'it ends before it starts';
  const latest = new Date(since);
  latest.setUTCFullYear(since.getUTCFullYear() + MOST_YEARS);
  if (until > latest) return 'it is longer than 2 years';
  return pieces({ since, until }, size).length > MOST_BUCKETS ? 'it has more than 400 buckets' : undefined;
}

export interface Counted {
  day: Date;
  class: 'silenced' | 'open' | 'fixed' | 'ignored' | 'provisionally_ignored';
  count: number;
}

const nameOf = (one: Counted['class']) => (one === 'provisionally_ignored' ? 'provisionallyIgnored' : one);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** What holds of each class. */
const byClass = (count: (one: Counted['class']) => number): Classes => ({
  silenced: count('silenced'),
  open: count('open'),
  fixed: count('fixed'),
  ignored: count('ignored'),
  provisionallyIgnored: count('provisionally_ignored'),
});

/** Counts of days as buckets with their totals; every edge of a bucket but the clipped ones is a midnight. */
export function tally(period: readonly Period[], counts: readonly Counted[]) {
  const buckets: Bucket[] = period.map((timePeriod) => ({ timePeriod, ...byClass(() => 0) }));
  for (const counted of counts) {
    const bucket = buckets.findLast(({ timePeriod }) => timePeriod.since <= counted.day) ?? buckets[0];
    if (!bucket) continue;
    bucket[nameOf(counted.class)] += counted.count;
  }
  return {
    buckets,
    totalFixed: sumOf(buckets.map(({ fixed }) => fixed)),
    totalOpened: sumOf(counts.map(({ count }) => count)),
  };
}

/** The same report, of findings instead of the times that they came up: each counts once in what is counted. */
export function ofFindings(
  { buckets, totalOpened }: ReturnType<typeof tally>,
  repeats: readonly { place?: number | undefined; class?: Counted['class'] | undefined; count: number }[],
) {
  const again = (place: number | undefined, name: Counted['class'] | undefined) =>
    repeats.find((one) => one.place === place && one.class === name)?.count ?? 0;
  const totals = byClass((name) => sumOf(buckets.map((bucket) => bucket[nameOf(name)])) - again(undefined, name));
  return {
    buckets: buckets.map(({ timePeriod, ...classes }, index) => ({
      timePeriod,
      ...byClass((name) => classes[nameOf(name)] - again(index + 1, name)),
      all: sumOf(Object.values(classes)) - again(index + 1, undefined),
    })),
    totals,
    totalFixed: totals.fixed,
    totalOpened: totalOpened - again(undefined, undefined),
  };
}
