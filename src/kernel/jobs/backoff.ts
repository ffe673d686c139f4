const FIRST_MS = 1000;
const LONGEST_MS = 3_600_000;

/**
 * How long a job waits after its nth attempt failed: doubling from a second to an hour, so 25 attempts span half a day.
 * Half of it is random, so that jobs which failed together do not come back together.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const wholeMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.round(wholeMs / 2 + (random() * wholeMs) / 2);
}
