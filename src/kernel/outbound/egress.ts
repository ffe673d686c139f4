import { lookup } from 'node:dns/promises';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Semaphore, SemaphoreFull, type SemaphoreLimits } from '#kernel/concurrency/semaphore.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { type EgressAllow, isAllowedAddress } from '#kernel/outbound/allowed-addresses.ts';
import { EgressFailure, errorCodeOf } from '#kernel/outbound/egress-failure.ts';
import {
  type EgressExchange,
  type EgressReply,
  type EgressStream,
  readWhole,
  streamExchange,
} from '#kernel/outbound/exchange.ts';
import { type EgressTarget, parseTarget } from '#kernel/outbound/target.ts';

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_BODY_BYTES = 262_144;
const LIMITS_PER_DESTINATION = { maxRunning: 5, maxWaiting: 1_000 };
const LIMITS_PER_TENANT = { maxRunning: 64, maxWaiting: 1_000 };
const RESERVED_HEADERS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept-encoding|expect|te|trailer|upgrade|proxy-.*)$/i;

export type EgressOptions = {
  readonly allow: EgressAllow;
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
  readonly ca?: readonly string[] | undefined;
  readonly connectTimeoutMs?: number | undefined;
};

export type EgressRequest = {
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string | Secret>> | undefined;
  readonly body?: string | Uint8Array | Secret | undefined;
  readonly tenant: string;
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** Answers with a redirect instead of failing; it is never followed here. */
  readonly isRedirectAnswered?: boolean | undefined;
};

/** The only client for outbound requests: it resolves once, checks and pins every address, and follows no redirect. */
export class Egress {
  readonly #allow: EgressAllow;
  readonly #resolve: (host: string) => Promise<readonly string[]>;
  readonly #ca: readonly string[] | undefined;
  readonly #connectTimeoutMs: number;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(options: EgressOptions) {
    this.#allow = options.allow;
    this.#resolve = options.resolve ?? resolveBySystem;
    this.#ca = options.ca;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  /** Tells whether a URL is acceptable, without resolving its host name. */
  accepts(url: string): boolean {
    try {
      parseTarget(url, this.#allow);
      return true;
    } catch {
      return false;
    }
  }

  /** Sends a request and reads the whole response. */
  async request(request: EgressRequest): Promise<EgressReply> {
    return this.#exchange(request, (exchange) => streamExchange(exchange, readWhole));
  }

  /**
   * Sends a request and hands the response over while it arrives. `maxBytes` and `timeoutMs` limit the whole of it; the
   * connection is closed when `consume` is done, whether or not it read everything.
   */
  async stream<Result>(
    request: EgressRequest & { readonly maxBytes: number; readonly timeoutMs: number },
    consume: (stream: EgressStream) => Promise<Result>,
  ): Promise<Result> {
    return this.#exchange(request, (exchange) => streamExchange(exchange, consume));
  }

  async #exchange<Result>(
    request: EgressRequest,
    send: (exchange: EgressExchange) => Promise<Result>,
  ): Promise<Result> {
    const target = parseTarget(request.url, this.#allow);
    const headers = readHeaders(request.headers ?? {});
    const controller = new AbortController();
    const timeOut = () => controller.abort(new EgressFailure('timeout', 'TOTAL'));
    const timer = setTimeout(timeOut, request.timeoutMs ?? TIMEOUT_MS);
    const perform = async () =>
      send({
        addresses: await this.#addressesOf(target, controller.signal),
        ...{ target, headers, method: request.method, signal: controller.signal, ca: this.#ca },
        body: request.body instanceof Secret ? reveal(request.body) : request.body,
        maxBytes: request.maxBytes ?? MAX_BODY_BYTES,
        isRedirectAnswered: request.isRedirectAnswered ?? false,
        connectTimeoutMs: this.#connectTimeoutMs,
      });
    try {
      const { signal } = controller;
      // A destination that hangs takes its own slots, and few of those of its tenant.
      return await this.#queued(`${request.tenant} ${target.name}`, LIMITS_PER_DESTINATION, signal, () =>
        this.#queued(request.tenant, LIMITS_PER_TENANT, signal, perform),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #queued<T>(name: string, limits: SemaphoreLimits, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const semaphore = this.#semaphores.get(name) ?? new Semaphore(limits);
    this.#semaphores.set(name, semaphore);
    try {
      return await semaphore.run(work, { signal });
    } catch (error) {
      throw error instanceof SemaphoreFull ? new EgressFailure('timeout', 'QUEUE') : error;
    } finally {
      if (semaphore.isIdle && this.#semaphores.get(name) === semaphore) this.#semaphores.delete(name);
    }
  }

  async #addressesOf(target: EgressTarget, signal: AbortSignal): Promise<readonly string[]> {
    const addresses = target.isLiteral ? [target.host] : await this.#lookUp(target.host, signal);
    const isAllowed = addresses.every((address) => isAllowedAddress(address, this.#allow, target.name));
    if (!isAllowed) throw new EgressFailure('denied_address', 'ADDRESS');
    return addresses;
  }

  async #lookUp(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const addresses = await Promise.race([this.#resolve(host), tooLate]);
      if (addresses.length === 0) throw new EgressFailure('unreachable', 'ENOTFOUND');
      return addresses;
    } catch (error) {
      if (error instanceof EgressFailure) throw error;
      throw new EgressFailure('unreachable', errorCodeOf(error));
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
}

function readHeaders(given: Readonly<Record<string, string | Secret>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (RESERVED_HEADERS.test(name)) throw new EgressFailure('bad_url', 'HEADER');
    const text = value instanceof Secret ? reveal(value) : value;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text);
    } catch {
      throw new EgressFailure('bad_url', 'HEADER');
    }
    headers[name] = text;
  }
  return { ...headers, 'accept-encoding': 'gzip' };
}
