import type { EgressReply } from './exchange.ts';

/** True for an answer that says there were too many requests; GitHub also says so with 403. */
export const isRateLimited = ({ status, headers }: Pick<EgressReply, 'status' | 'headers'>): boolean =>
  status === 429 ||
  (status === 403 && (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined));

const secondsOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,10}$/.test(text.trim()) ? Number(text) : undefined;

const DEFAULT_PAUSE_MS = 60_000;
const MIN_PAUSE_MS = 1000;

/** How long to wait after such an answer: Retry-After, or until the end of the window that GitHub and GitLab name. */
export function rateLimitPauseMs({ headers }: Pick<EgressReply, 'headers'>, now: number): number {
  const after = secondsOf(headers['retry-after']);
  if (after !== undefined) return after * 1000;
  const reset = secondsOf(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return reset === undefined ? DEFAULT_PAUSE_MS : Math.max(MIN_PAUSE_MS, reset * 1000 - now);
}
