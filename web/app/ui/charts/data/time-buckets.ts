export type BucketSize = 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const full = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The axis label of a bucket; buckets are aligned to UTC. */
export const bucketLabel = (start: Date, size: BucketSize): string => (size === 'month' ? month : short).format(start);

function nextBoundary(start: Date, size: BucketSize): Date {
  const [year, monthOfYear, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  if (size === 'month') return new Date(Date.UTC(year, monthOfYear + 1, 1));
  const days = size === 'week' ? 7 - ((start.getUTCDay() + 6) % 7) : 1;
  return new Date(Date.UTC(year, monthOfYear, day + days));
}

const isBoundary = (at: Date, size: BucketSize): boolean =>
  nextBoundary(new Date(at.getTime() - 1), size).getTime() === at.getTime();

/** Whether a bucket is cut off by the period or not over yet. */
export const isPartialBucket = (start: Date, end: Date, size: BucketSize): boolean =>
  !isBoundary(start, size) || end.getTime() < nextBoundary(start, size).getTime();

/** The full label of a bucket; the end is exclusive. */
export function bucketTitle(start: Date, end: Date, size: BucketSize): string {
  const cut = isPartialBucket(start, end, size) ? ' (partial)' : '';
  if (size === 'day') return `${full.format(start)}${cut}`;
  if (size === 'month') return `${month.format(start)}${cut}`;
  return `${short.format(start)} to ${full.format(new Date(Math.max(start.getTime(), end.getTime() - 1)))}${cut}`;
}

const RELATIVE = /^-(\d{1,4})([dwmy])$/;
const UNIT_DAYS = { d: 1, w: 7, m: 30, y: 365 } as const;

/** Parses `-90d` or `2026-08-01`; days start at midnight UTC. */
export function parseTime(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = RELATIVE.exec(text) ?? [];
  if (count !== undefined) {
    const days = Number(count) * UNIT_DAYS[unit as keyof typeof UNIT_DAYS];
    return new Date(Math.floor(now.getTime() / DAY_MS - days) * DAY_MS);
  }
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at : undefined;
}

/** The bucket size that the server chooses for a period. */
export function defaultBucketSize(since: Date, until: Date): BucketSize {
  const days = (until.getTime() - since.getTime()) / DAY_MS;
  if (days <= 31) return 'day';
  return days <= 182 ? 'week' : 'month';
}
