const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes as people read it. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** Seconds as people read them, rounded to the largest unit that fits. */
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

const SCARCE = 0.1;
const LONG_WAIT_SECONDS = 300;

/** What an operator should look at now; nothing when all is well. */
export function healthWarnings({ migrations, jobs, disk }: SystemHealth): string[] {
  return [
    migrations.pending > 0 ? `${migrations.pending} migrations are not applied: restart the server.` : '',
    jobs.dead > 0 ? `${jobs.dead} jobs were given up: see below.` : '',
    jobs.waiting > 0 && jobs.oldestWaitingSeconds > LONG_WAIT_SECONDS
      ? `A job has been waiting for ${formatDuration(jobs.oldestWaitingSeconds)}.`
      : '',
    disk && disk.freeBytes < disk.totalBytes * SCARCE
      ? `Only ${formatBytes(disk.freeBytes)} of the disk are free.`
      : '',
  ].filter((worry) => worry !== '');
}
