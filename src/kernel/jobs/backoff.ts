const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 3_600_000;

/**
 * The delay after the nth failed attempt: it doubles from a second to an hour, so 25 attempts span half a day.
 * Half of it is random, so that jobs that failed together are not retried together.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return Math.round(delayMs / 2 + (random() * delayMs) / 2);
}
