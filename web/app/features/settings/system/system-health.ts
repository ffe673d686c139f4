const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes with a binary unit. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Formats a duration in its largest suitable unit. */
export function formatDuration(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export interface SystemHealth {
  migrations: { pending: number };
  jobs: { dead: number; waiting: number; oldestWaitingSeconds: number };
  disk?: { freeBytes: number; totalBytes: number } | undefined;
}

const MIN_FREE_DISK_FRACTION = 0.1;
const MAX_WAIT_SECONDS = 300;

/** Warnings for the operator; empty if the server is healthy. */
export function healthWarnings({ migrations, jobs, disk }: SystemHealth): string[] {
  return [
    migrations.pending > 0 ? `${migrations.pending} migrations are pending. Restart the server.` : '',
    jobs.dead > 0 ? `${jobs.dead} jobs failed permanently; see below.` : '',
    jobs.waiting > 0 && jobs.oldestWaitingSeconds > MAX_WAIT_SECONDS
      ? `The oldest job has been waiting for ${formatDuration(jobs.oldestWaitingSeconds)}.`
      : '',
    disk && disk.freeBytes < disk.totalBytes * MIN_FREE_DISK_FRACTION
      ? `Only ${formatBytes(disk.freeBytes)} of disk space left.`
      : '',
  ].filter((warning) => warning !== '');
}
