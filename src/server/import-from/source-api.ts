import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '#kernel/errors/operator-error.ts';

const MAX_ATTEMPTS = 10;
const REQUEST_TIMEOUT_MS = 300_000;
const MAX_PAUSE_MS = 600_000;
const MAX_REPLY_BYTES = 256 * 2 ** 20;
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A call that failed for good, with the exit code of the command. */
export class RemoteFailure extends OperatorError {
  override readonly exitCode: number;
  /** 0 if there was no reply. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
    this.exitCode = status === 401 || status === 403 ? 4 : 5;
  }
}

export interface RetryMeans {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Says why the command waits. */
  notify(line: string): void;
  signal: AbortSignal;
}

export const realSleep: RetryMeans['sleep'] = async (ms, signal) => {
  await delay(ms, undefined, { signal });
};

/** How long a reply asks to wait: seconds or a date; undefined if it does not ask. */
function askedPauseMs(headers: Headers, now: number): number | undefined {
  const asked = headers.get('retry-after');
  if (asked === null || asked.trim() === '') return undefined;
  const ms = /^\d+$/.test(asked.trim()) ? Number(asked) * 1000 : Date.parse(asked) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_PAUSE_MS) : undefined;
}

interface RetriedReply {
  status: number;
  headers: Headers;
}

/** Repeats a call that was refused for the moment or got no reply: as asked by `Retry-After`, else ever more slowly. */
export async function withRetries<Reply extends RetriedReply>(
  name: string,
  { sleep, notify, signal }: RetryMeans,
  call: () => Promise<Reply>,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    const reply = await call().catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof OperatorError || attempt === MAX_ATTEMPTS) throw unreachable(name, error);
      return undefined;
    });
    if (reply && (!RETRIED.has(reply.status) || attempt === MAX_ATTEMPTS)) return reply;
    const asked = reply && askedPauseMs(reply.headers, Date.now());
    const pauseMs = asked ?? Math.min(1000 * 2 ** (attempt - 1), 60_000);
    const cause = reply ? `answered ${reply.status}` : 'did not answer';
    notify(`${name} ${cause}; trying again in ${Math.ceil(pauseMs / 1000)} s`);
    await sleep(pauseMs, signal);
  }
}

function unreachable(name: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
  return new RemoteFailure(`${name} cannot be reached: ${cause}.`, 0);
}

export interface SourceAddress {
  /** The name of the system, for messages. */
  name: string;
  baseUrl: string;
  /** The value of the header Authorization. */
  authorization: string;
}

type Query = Readonly<Record<string, string | number>>;

/** The API of the system that is left; only reads. Redirects are refused, because they would take the token along. */
export class SourceApi {
  readonly #address: SourceAddress;
  readonly #means: RetryMeans;

  constructor(address: SourceAddress, means: RetryMeans) {
    this.#address = address;
    this.#means = means;
  }

  get(path: string, query: Query = {}): Promise<unknown> {
    return this.#call('GET', path, { query });
  }

  /** For lists that are asked for by POST. */
  post(path: string, body: object): Promise<unknown> {
    return this.#call('POST', path, { body });
  }

  async #call(method: string, path: string, { query = {}, body }: { query?: Query; body?: object }): Promise<unknown> {
    const { name, baseUrl, authorization } = this.#address;
    const pairs = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) pairs.set(key, String(value));
    const url = `${baseUrl}${path}${pairs.size > 0 ? `?${pairs}` : ''}`;
    const reply = await withRetries(name, this.#means, async () => {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          authorization,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.any([this.#means.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, text: await textOf(name, response) };
    });
    if (reply.status !== 200) throw refusalOf(name, path, reply);
    try {
      return JSON.parse(reply.text);
    } catch {
      throw new RemoteFailure(`${name} did not answer ${path} with JSON; check the address ${baseUrl}.`, 200);
    }
  }
}

async function textOf(name: string, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new RemoteFailure(`A reply of ${name} has more than 256 MB.`, response.status);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusalOf(name: string, path: string, { status, headers, text }: RetriedReply & { text: string }) {
  const hint =
    status === 401 || status === 403
      ? 'Check the token in PARAPET_SOURCE_TOKEN and what it may read.'
      : status >= 300 && status < 400
        ? `It points to ${headers.get('location') ?? 'another address'}: use that address as the source.`
        : text.slice(0, 300);
  return new RemoteFailure(`${name} answered ${status} to ${path}. ${hint}`, status);
}
