import type { ReportPeriod, TimeBucketSize } from './rules.ts';

const DAY_MS = 24 * 3600 * 1000;

export interface ReportDays extends ReportPeriod {
  /** True if the period reaches up to now. */
  isOpenEnded: boolean;
}

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** The period in whole UTC days, as in filters: partial days are extended. */
export function wholeDaysOf({ since, until }: { since: Date; until?: Date | undefined }, now: Date): ReportDays {
  const end = until === undefined ? undefined : new Date(Math.ceil(until.getTime() / DAY_MS) * DAY_MS);
  const isOpenEnded = end === undefined || end > now;
  return { since: startOfDay(since), until: isOpenEnded ? now : end, isOpenEnded };
}

export const formatUtcDay = (time: Date) => time.toISOString().slice(0, 10);

/** The days as a filter value. */
export function formatUtcDays({ since, until, isOpenEnded }: ReportDays): string {
  if (isOpenEnded) return `>=${formatUtcDay(since)}`;
  const last = formatUtcDay(new Date(until.getTime() - DAY_MS));
  return last === formatUtcDay(since) ? last : `${formatUtcDay(since)}..${last}`;
}

/** The last day before a time. */
export const lastDay = (end: Date): string => formatUtcDay(new Date(end.getTime() - 1));

/** Filter terms for what was opened, fixed and ignored in a bucket. */
export function changeTerms(bucket: ReportPeriod, { until, isOpenEnded }: ReportDays) {
  const days = formatUtcDays({ ...bucket, isOpenEnded: isOpenEnded && bucket.until.getTime() === until.getTime() });
  return { opened: `opened:${days}`, fixed: `fixed:${days}`, ignored: `ignored:${days}` };
}

/** Filter terms for what was open at a time, by severity. */
export function backlogTerms(end: Date) {
  const termsOf = (severities: string) => `backlog:${lastDay(end)} severity:${severities}`;
  return { critical: termsOf('critical'), high: termsOf('high'), medium: termsOf('medium'), low: termsOf('info,low') };
}

export const TIME_BUCKET_SIZES = {
  BUCKET_DAY: 'TIME_BUCKET_SIZE_DAY',
  BUCKET_WEEK: 'TIME_BUCKET_SIZE_WEEK',
  BUCKET_MONTH: 'TIME_BUCKET_SIZE_MONTH',
} as const satisfies Record<string, TimeBucketSize>;

/** The start of the period and the end of each bucket. */
export const bucketEdges = ({ since }: ReportPeriod, buckets: readonly ReportPeriod[]): [Date, ...Date[]] => [
  since,
  ...buckets.map(({ until }) => until),
];

/** A count between two edges. Place 1 is the first bucket; the number of buckets plus 1 is after the last edge. */
export interface BucketFlowCount {
  place: number;
  fate?: string | undefined;
  severity: number;
  count: number;
}

/** What is open now, and what was opened and closed since the first edge. */
export interface BacklogFlow {
  open: readonly { severity: number; count: number }[];
  came: readonly BucketFlowCount[];
  went: readonly BucketFlowCount[];
}

type Rank = 'critical' | 'high' | 'medium' | 'low';
const RANKS: readonly Rank[] = ['low', 'low', 'medium', 'high', 'critical'];
const rankOf = ({ severity }: { severity: number }): Rank => RANKS[severity] ?? 'low';

const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

/** The backlog at the end of each bucket, computed backwards from now. */
export function backlogOf(buckets: readonly ReportPeriod[], { open, came, went }: BacklogFlow) {
  const level: Record<Rank, number> = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const counted of open) level[rankOf(counted)] += counted.count;
  const [openedBy, closedBy] = [came, went].map((counts) => Map.groupBy(counts, ({ place }) => place));
  const backlog = [];
  for (const [index, { since: start, until: end }] of [...buckets.entries()].reverse()) {
    for (const counted of openedBy?.get(index + 2) ?? []) level[rankOf(counted)] -= counted.count;
    for (const counted of closedBy?.get(index + 2) ?? []) level[rankOf(counted)] += counted.count;
    backlog.unshift({ start, end, ...level });
  }
  return backlog;
}

/** What was opened, fixed and ignored in each bucket. */
export function netChangeOf(buckets: readonly ReportPeriod[], { came, went }: BacklogFlow) {
  return buckets.map(({ since: start, until: end }, index) => {
    const isInBucket = ({ place }: BucketFlowCount) => place === index + 1;
    const closedAs = (fate: string) => sum(went.filter((counted) => isInBucket(counted) && counted.fate === fate));
    return { start, end, opened: sum(came.filter(isInBucket)), fixed: closedAs('fixed'), ignored: closedAs('ignored') };
  });
}

const MIN_PRIORITY_SEVERITY = 3;

/** The headline numbers, from the same counts as the charts. */
export function numbersOf({ open, came, went }: BacklogFlow, lastPlace: number) {
  const isInPeriod = ({ place }: BucketFlowCount) => place <= lastPlace;
  return {
    open: sum(open),
    openPriority: sum(open.filter(({ severity }) => severity >= MIN_PRIORITY_SEVERITY)),
    opened: sum(came.filter(isInPeriod)),
    fixed: sum(went.filter((counted) => counted.fate === 'fixed' && isInPeriod(counted))),
  };
}

/** The projects with most open findings; ties are ordered by id, so that the order is stable. */
export function worstProjectsOf(
  open: readonly { project_id: string; count: number }[],
  maxProjects: number,
): { project: string; count: number }[] {
  const totals = new Map<string, number>();
  for (const { project_id: project, count } of open) totals.set(project, (totals.get(project) ?? 0) + count);
  return [...totals]
    .map(([project, count]) => ({ project, count }))
    .toSorted((left, right) => right.count - left.count || Number(BigInt(left.project) - BigInt(right.project)))
    .slice(0, maxProjects);
}

/** An age in days, rounded to one decimal. */
export const ageInDays = (since: Date | undefined, now: Date): number =>
  since === undefined ? 0 : Math.max(0, Math.round(((now.getTime() - since.getTime()) / DAY_MS) * 10) / 10);
