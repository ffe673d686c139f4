const STALE_MS = 30 * 86_400_000;

type Coverage = 'never' | 'failing' | 'stale' | 'covered';

export const COVERAGE_LABELS: Record<Coverage, string> = {
  never: 'Never scanned',
  failing: 'Failing',
  stale: 'Not scanned for over 30 days',
  covered: 'Scanned',
};

const FAILED_STATUSES = ['SCAN_STATUS_ERROR', 'SCAN_STATUS_NEVER_FINISHED', 'SCAN_STATUS_CANCELLED'];

/** Whether a project is scanned regularly, by its latest scan and its outcome. */
export function coverageOf(latest: { startedAt: string; status?: string } | undefined, now: Date): Coverage {
  if (!latest) return 'never';
  if (FAILED_STATUSES.includes(latest.status ?? '')) return 'failing';
  return now.getTime() - Date.parse(latest.startedAt) > STALE_MS ? 'stale' : 'covered';
}
