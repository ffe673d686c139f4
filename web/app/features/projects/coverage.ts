const STALE_MS = 30 * 86_400_000;

export type Coverage = 'never' | 'failing' | 'stale' | 'covered';

export const COVERAGE_LABELS: Record<Coverage, string> = {
  never: 'Never scanned',
  failing: 'Failing',
  stale: 'Silent for over 30 days',
  covered: 'Scanned',
};

const BROKEN = ['SCAN_STATUS_ERROR', 'SCAN_STATUS_NEVER_FINISHED', 'SCAN_STATUS_CANCELLED'];

/** Whether a project is still looked at: by its last scan and how that ended. */
export function coverageOf(latest: { startedAt: string; status?: string } | undefined, now: Date): Coverage {
  if (!latest) return 'never';
  if (BROKEN.includes(latest.status ?? '')) return 'failing';
  return now.getTime() - Date.parse(latest.startedAt) > STALE_MS ? 'stale' : 'covered';
}
