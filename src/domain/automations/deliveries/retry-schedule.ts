const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The delay before each attempt: about 75 hours in all. */
const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = DAY_MS;

export const MAX_DELIVERY_ATTEMPTS = DELAYS_MS.length;

/** The delay after the nth failed attempt, at least what the destination asks for; undefined after the last one. */
export function retryDelayMs(
  failedAttempts: number,
  {
    retryAfterMs = 0,
    random = Math.random,
  }: { retryAfterMs?: number | undefined; random?: (() => number) | undefined },
): number | undefined {
  const delayMs = DELAYS_MS[failedAttempts];
  if (delayMs === undefined) return undefined;
  const jittered = delayMs * (1 - JITTER + 2 * JITTER * random());
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}

const FAILURES_BEFORE_PAUSE = 4;
const FIRST_PAUSE_MS = MINUTE_MS;
/** A destination that is down is tried once an hour: with longer pauses it would stay paused long after it is back. */
const MAX_PAUSE_MS = HOUR_MS;
export const DISABLED_AFTER_MS = 5 * DAY_MS;

/** How long a destination pauses after so many failures in a row; 0 for not at all. */
export function pauseMs(failures: number, retryAfterMs = 0): number {
  const asked = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  if (failures < FAILURES_BEFORE_PAUSE) return asked;
  return Math.max(asked, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - FAILURES_BEFORE_PAUSE, 30)));
}

/** True for the failure that pauses a destination, when its owners are told. */
export const isFirstPause = (failures: number): boolean => failures === FAILURES_BEFORE_PAUSE;

/** Reads Retry-After: seconds, or a date. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
