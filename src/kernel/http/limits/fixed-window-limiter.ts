/** How much one key may take in a window, which starts with its first take. */
export type LimitPolicy = { quota: number; windowMs: number };

export type LimitResult = {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number;
};

export type FixedWindowLimiterOptions = {
  policies: Record<string, LimitPolicy>;
  /** The number of live servers. Each has an equal share of each quota, so that their sum never exceeds it. */
  nodes?: () => number;
  /** A monotonic clock in milliseconds. */
  clock?: () => number;
  /** The limit of keys for each policy, so that a flood of addresses cannot evict the keys of another policy. */
  maxKeys?: number;
};

type Bucket = { used: number; endsAtMs: number };

const DEFAULT_MAX_KEYS = 100_000;
const POLICY_NAME = /^[a-z][a-z0-9-]*$/;

/** An in-memory rate limiter: the bucket of a key is refilled completely when its window ends. */
export class FixedWindowLimiter {
  readonly #policies = new Map<string, LimitPolicy & { buckets: Map<string, Bucket> }>();
  readonly #nodes: () => number;
  readonly #clock: () => number;
  readonly #maxKeys: number;

  constructor(options: FixedWindowLimiterOptions) {
    for (const [name, { quota, windowMs }] of Object.entries(options.policies)) {
      const isValid = POLICY_NAME.test(name) && Number.isSafeInteger(quota) && quota > 0 && windowMs > 0;
      if (!isValid)
        throw new Error(`The limit policy "${name}" needs a kebab-case name, a positive integer quota and a window.`);
      this.#policies.set(name, { quota, windowMs, buckets: new Map() });
    }
    this.#nodes = options.nodes ?? (() => 1);
    this.#clock = options.clock ?? (() => performance.now());
    this.#maxKeys = options.maxKeys ?? DEFAULT_MAX_KEYS;
  }

  /** Takes the whole cost, or nothing. */
  take(policyName: string, key: string, cost = 1): LimitResult {
    if (!Number.isSafeInteger(cost) || cost < 1) throw new Error('The cost must be a positive integer.');
    const policy = this.#policyOf(policyName);
    const nowMs = this.#clock();
    const bucket = this.#bucketOf(policy, key, nowMs);
    const limit = this.#shareOf(policy.quota);
    const allowed = bucket.used + cost <= limit;
    if (allowed) bucket.used += cost;
    const resetSeconds = Math.max(1, Math.ceil((bucket.endsAtMs - nowMs) / 1000));
    const remaining = Math.max(0, limit - bucket.used);
    return { allowed, limit, remaining, resetSeconds, retryAfterSeconds: allowed ? 0 : resetSeconds };
  }

  /** Returns one unit that was taken, unless its window has ended since. */
  giveBack(policyName: string, key: string): void {
    const bucket = this.#policyOf(policyName).buckets.get(key);
    if (bucket && bucket.endsAtMs > this.#clock()) bucket.used = Math.max(0, bucket.used - 1);
  }

  #policyOf(name: string): LimitPolicy & { buckets: Map<string, Bucket> } {
    const policy = this.#policies.get(name);
    if (policy === undefined) throw new Error(`There is no limit policy "${name}".`);
    return policy;
  }

  /** The number of keys of all policies. */
  get size(): number {
    let size = 0;
    for (const { buckets } of this.#policies.values()) size += buckets.size;
    return size;
  }

  #shareOf(quota: number): number {
    const nodes = this.#nodes();
    return nodes > 1 ? Math.max(1, Math.floor(quota / nodes)) : quota;
  }

  #bucketOf(policy: LimitPolicy & { buckets: Map<string, Bucket> }, key: string, nowMs: number): Bucket {
    const { buckets, windowMs } = policy;
    const existing = buckets.get(key);
    buckets.delete(key);
    this.#evict(buckets, nowMs);
    const isRunning = existing !== undefined && existing.endsAtMs > nowMs;
    const bucket = isRunning ? existing : { used: 0, endsAtMs: nowMs + windowMs };
    // A Map keeps insertion order, so reinserting makes this key the most recently used.
    buckets.set(key, bucket);
    return bucket;
  }

  /** Makes room for one key, and drops up to two expired ones, so that memory shrinks after a flood. */
  #evict(buckets: Map<string, Bucket>, nowMs: number): void {
    let dropped = 0;
    for (const [key, bucket] of buckets) {
      const isExpired = bucket.endsAtMs <= nowMs;
      const isEvictable = buckets.size >= this.#maxKeys || (isExpired && dropped < 2);
      if (!isEvictable) return;
      buckets.delete(key);
      dropped += 1;
    }
  }
}

/** The response headers that publish the share of this server in a policy, and what remains of it. */
export function rateLimitHeaders(
  policyName: string,
  policy: Pick<LimitPolicy, 'windowMs'>,
  result: LimitResult,
): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${policyName}";q=${result.limit};w=${Math.ceil(policy.windowMs / 1000)}`,
    RateLimit: `"${policyName}";r=${result.remaining};t=${result.resetSeconds}`,
  };
  if (!result.allowed) headers['Retry-After'] = String(result.retryAfterSeconds);
  return headers;
}
