import { hash } from 'node:crypto';
import type { Caller } from '#kernel/auth/caller.ts';
import { RATE_LIMITED } from '#kernel/contract/common-faults.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import { headersOf, Limiter } from './limiter.ts';
import type { Incoming } from './pipeline.ts';

export interface LimitSettings {
  limitAddress: number;
  limitApi: number;
  limitWrite: number;
  limitLogin: number;
}

const MINUTE_MS = 60_000;

/** The rate limits of all requests: by address before anything is read, by credential once the caller is known. */
export class Limits {
  readonly #limiter: Limiter;
  readonly #policies: Record<string, { quota: number; windowMs: number }>;

  constructor(settings: LimitSettings, nodes: () => number) {
    this.#policies = {
      address: { quota: settings.limitAddress, windowMs: MINUTE_MS },
      api: { quota: settings.limitApi, windowMs: MINUTE_MS },
      write: { quota: settings.limitWrite, windowMs: MINUTE_MS },
      login: { quota: settings.limitLogin, windowMs: MINUTE_MS },
    };
    this.#limiter = new Limiter({ policies: this.#policies, nodes });
  }

  /** Takes from one bucket and gives the headers that say so, or refuses. */
  take(policy: string, key: string): Record<string, string> {
    const facts = this.#policies[policy];
    if (!facts) throw new Error(`There is no limit named ${policy}.`);
    const result = this.#limiter.take(policy, key);
    const headers = headersOf(policy, facts, result);
    if (!result.allowed) throw RATE_LIMITED({ policy }, { headers });
    return headers;
  }

  /** Refuses without taking when nothing is left: for what counts only failures. */
  check(policy: string, key: string): void {
    const left = this.#limiter.peek(policy, key);
    if (!left.allowed) throw RATE_LIMITED({ policy }, { headers: { 'retry-after': String(left.retryAfterSeconds) } });
  }

  /** Counts one failure, whatever is left. */
  count(policy: string, key: string): void {
    this.#limiter.take(policy, key);
  }

  admitArrival({ address, authorizations }: Incoming): Record<string, string> {
    const [header] = authorizations;
    if (header !== undefined) {
      const prefix = hash('sha256', header.slice(0, 64), 'base64url');
      this.take('api', `credential ${prefix}`);
    }
    return this.take('address', address);
  }

  admitCaller(operation: Operation, caller: Caller, { address }: Incoming): Record<string, string> {
    if (caller.kind === 'nobody') return this.take('api', `address ${address}`);
    const key = `${caller.deployment} ${caller.credential}`;
    return operation.isRead ? this.take('api', key) : this.take('write', key);
  }
}
