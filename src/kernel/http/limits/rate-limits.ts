import { hash } from 'node:crypto';
import type { Caller } from '#kernel/auth/caller.ts';
import { RATE_LIMITED } from '#kernel/contract/common-faults.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import type { IncomingRequest } from '../message.ts';
import { FixedWindowLimiter, type LimitResult, rateLimitHeaders } from './fixed-window-limiter.ts';

export interface RateLimitSettings {
  limitAddress: number;
  limitApi: number;
  limitWrite: number;
  limitLogin: number;
  limitCheckUser: number;
  limitCheckDeployment: number;
}

const MINUTE_MS = 60_000;
/** The address of a webhook, which has a limit of its own. */
const HOOK_PATH = /^\/hooks\/[a-z]+\/[\w-]{22}$/;
const HOOK_QUOTA = 60_000;

/** The state of a bucket after a take, for the response headers. */
export interface LimitUsage {
  policy: string;
  limit: { quota: number; windowMs: number };
  result: LimitResult;
}

export const usageHeaders = ({ policy, limit, result }: LimitUsage): Record<string, string> =>
  rateLimitHeaders(policy, limit, result);

/** The rate limits of all requests: by address before anything is read, by credential once the caller is known. */
export class RateLimits {
  readonly #limiter: FixedWindowLimiter;
  readonly #policies: Record<string, { quota: number; windowMs: number }>;

  constructor(settings: RateLimitSettings, nodes: () => number) {
    this.#policies = {
      address: { quota: settings.limitAddress, windowMs: MINUTE_MS },
      api: { quota: settings.limitApi, windowMs: MINUTE_MS },
      write: { quota: settings.limitWrite, windowMs: MINUTE_MS },
      login: { quota: settings.limitLogin, windowMs: MINUTE_MS },
      // One address against one account: others can still try.
      'login-pair': { quota: Math.ceil(settings.limitLogin / 2), windowMs: MINUTE_MS },
      // Many people can sign in from one address.
      'login-address': { quota: settings.limitLogin * 10, windowMs: MINUTE_MS },
      // Mails to one address.
      reset: { quota: 3, windowMs: 60 * MINUTE_MS },
      'check-user': { quota: settings.limitCheckUser, windowMs: MINUTE_MS },
      // A busy host sends a thousand deliveries a second.
      hook: { quota: HOOK_QUOTA, windowMs: MINUTE_MS },
      // Deliveries from one address whose signature is wrong, or not checked yet.
      'hook-failure': { quota: settings.limitAddress * 10, windowMs: MINUTE_MS },
      'check-deployment': { quota: settings.limitCheckDeployment, windowMs: MINUTE_MS },
    };
    this.#limiter = new FixedWindowLimiter({ policies: this.#policies, nodes });
  }

  /** Takes from one bucket, or throws RATE_LIMITED. */
  take(policy: string, key: string): LimitUsage {
    const limit = this.#policies[policy];
    if (!limit) throw new Error(`There is no rate limit named ${policy}.`);
    const result = this.#limiter.take(policy, key);
    const taken = { policy, limit, result };
    if (!result.allowed) throw RATE_LIMITED({ policy }, { headers: usageHeaders(taken) });
    return taken;
  }

  /** Returns what was taken: for limits that count only failures, which are counted before they are known. */
  giveBack(policy: string, key: string): void {
    this.#limiter.giveBack(policy, key);
  }

  takeForArrival({ method, address, authorizations, pathname }: IncomingRequest): LimitUsage {
    if (method === 'POST' && HOOK_PATH.test(pathname)) return this.take('hook', pathname);
    const [header] = authorizations;
    if (header !== undefined) {
      const prefix = hash('sha256', header.slice(0, 64), 'base64url');
      this.take('api', `credential ${prefix}`);
    }
    return this.take('address', address);
  }

  takeForCaller(operation: Operation, caller: Caller, { address }: IncomingRequest): LimitUsage | undefined {
    // It was counted at arrival.
    if (operation.limitPolicy === 'hook') return undefined;
    if (caller.kind === 'nobody') return this.take('api', `address ${address}`);
    const key = `${caller.deployment} ${caller.credential}`;
    const general = this.take(operation.isRead ? 'api' : 'write', key);
    if (operation.limitPolicy === undefined) return general;
    // By user and not by session, because a user can open many sessions; each operation has buckets of its own.
    const own = this.take(`${operation.limitPolicy}-user`, `${operation.template} ${caller.userId}`);
    this.take(`${operation.limitPolicy}-deployment`, `${operation.template} ${caller.deployment}`);
    return own;
  }
}
