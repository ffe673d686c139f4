import type { z } from 'zod';
import { storedNameOf } from '#domain/scans/rules.ts';
import type { ScanFilters } from './contract.ts';

const DAY_MS = 24 * 3600 * 1000;
const MAX_LISTED_DAYS = 30;

/** Selects scans, in values of the table; absent members are no condition. */
export interface ScanQuery {
  project?: string | undefined;
  ref?: string | undefined;
  since: Date;
  seconds: { min?: number | undefined; max?: number | undefined };
  products: string[];
  statuses: string[];
  /** Undefined selects full and diff scans. */
  isFull?: boolean | undefined;
}

/** Lists go back at most 30 days. */
export function listedSince(requested: Date | undefined, now: Date): Date {
  const earliest = now.getTime() - MAX_LISTED_DAYS * DAY_MS;
  return new Date(Math.max(earliest, requested?.getTime() ?? earliest));
}

/** Both types together are no condition. */
function isFullOf(types: readonly string[]): boolean | undefined {
  const [first, ...others] = new Set(types);
  if (first === undefined || others.length > 0) return undefined;
  return first === 'SCAN_TYPE_FULL';
}

export function scanQueryOf(filters: z.output<typeof ScanFilters> = {}, project: string, now: Date): ScanQuery {
  return {
    project,
    ref: filters.branch || undefined,
    since: listedSince(filters.createdSince, now),
    seconds: filters.duration ?? {},
    products: (filters.includeEnabledProducts ?? []).map(storedNameOf),
    statuses: (filters.statuses ?? []).map(storedNameOf),
    isFull: isFullOf(filters.types ?? []),
  };
}

/** Explains why a scan cannot be retried here, and what to do instead. */
export function retryAdvice(source: string | undefined): string {
  if (source === undefined) return 'This scan does not exist, or you may not see it.';
  if (source === 'import')
    return 'This scan is a report that was handed in: run the scanner again where it runs, and hand in the new report.';
  return 'This scan was run by a scanner outside of this server: run its CI job or command again.';
}

/** The value as text; null for empty strings and other types. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
