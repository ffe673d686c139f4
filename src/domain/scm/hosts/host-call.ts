import type { z } from 'zod';
import type { Secret } from '#kernel/crypto/secret.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import type { EgressReply } from '#kernel/outbound/exchange.ts';
import { isRateLimited, rateLimitPauseMs } from '#kernel/outbound/rate-limit-reply.ts';
import { HostFailure } from './host-failure.ts';

const TIMEOUT_MS = 15_000;
/** A page of 100 repositories has about 0.6 MB at GitHub. */
const MAX_BYTES = 8 * 1024 ** 2;
const MAX_SHOWN = 300;

export interface HostAccess {
  egress: Egress;
  tenant: string;
  version: string;
  /** How messages name the host. */
  hostName: string;
  /** The beginning of every address, without a slash at the end. */
  base: string;
  headers: Readonly<Record<string, string | Secret>>;
}

export interface HostRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Replaces the body by a form. */
  form?: Secret;
  /** For the few addresses outside of the API, of the same origin. */
  base?: string;
}

export interface HostReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  value: unknown;
}

/** A conversation with a host: it yields requests and receives replies, so that adapters do no input or output. */
export type HostExchange<Result> = Generator<HostRequest, Result, HostReply>;

function failureOf(error: unknown, { hostName }: HostAccess, isRead: boolean): unknown {
  if (!(error instanceof EgressFailure)) return error;
  const { reason, message, isUnsent } = error;
  const detail =
    reason === 'denied_address' || reason === 'bad_url'
      ? `${message} Ask the operator to allow it in PARAPET_EGRESS_ALLOW.`
      : message;
  return new HostFailure(isUnsent || isRead ? 'unreachable' : 'unclear', `${hostName}: ${detail}`);
}

const flatTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(flatTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(flatTexts);
};

/** What a host complains about, on one line. */
export function complaintOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { message, error, error_description: description, errors } = value as Record<string, unknown>;
  return [message, error, description, errors]
    .flatMap(flatTexts)
    .join(' ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_SHOWN)
    .toWellFormed();
}

function parseJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as unknown);
  } catch {
    return undefined;
  }
}

async function send(access: HostAccess, request: HostRequest, url: string): Promise<EgressReply> {
  const { egress, tenant, version, headers } = access;
  const type = request.form ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = request.form ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  try {
    return await egress.request({
      url,
      method: request.method,
      headers: {
        accept: 'application/json',
        'user-agent': `Parapet/${version}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      ...{ tenant, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, isRedirectAnswered: true },
    });
  } catch (error) {
    throw failureOf(error, access, request.method === 'GET');
  }
}

/** The address that a moved object is now at, if a credential for the old address may go there. */
function movedTo({ headers }: EgressReply, url: string): string | undefined {
  const target = URL.parse(headers['location'] ?? '', url);
  return target?.origin === new URL(url).origin && target.username === '' ? target.href : undefined;
}

/** Asks a host. Every answer below 500 is a reply; silence, server errors and limits are failures. */
export async function askHost(access: HostAccess, request: HostRequest): Promise<HostReply> {
  const isRead = request.method === 'GET';
  const url = `${request.base ?? access.base}${request.path}`;
  let reply = await send(access, request, url);
  const isRedirect = [301, 302, 307, 308].includes(reply.status);
  const moved = isRedirect && isRead ? movedTo(reply, url) : undefined;
  if (moved !== undefined) reply = await send(access, request, moved);
  const { status, headers } = reply;
  if (isRateLimited(reply))
    throw new HostFailure('limited', `${access.hostName} answered ${status}: too many requests.`, {
      ...{ status, retryAfterMs: rateLimitPauseMs(reply, Date.now()) },
    });
  if (status >= 500)
    throw new HostFailure(isRead ? 'unreachable' : 'unclear', `${access.hostName} answered ${status}.`, { status });
  if (status >= 300 && status < 400)
    throw new HostFailure('refused', `${access.hostName} answered with a redirect to another address.`, { status });
  return { status, headers, value: parseJson(reply.body) };
}

/** Runs a conversation with a host. */
export async function converse<Result>(access: HostAccess, exchange: HostExchange<Result>): Promise<Result> {
  let step = exchange.next();
  while (step.done !== true) step = exchange.next(await askHost(access, step.value));
  return step.value;
}

/** The failure that an answer other than 2xx means. */
export function refusalOf(hostName: string, { status, value }: HostReply): HostFailure {
  const complaint = complaintOf(value);
  const detail = `${hostName} answered ${status}${complaint === '' ? '.' : `: ${complaint}`}`;
  if (status === 401) return new HostFailure('revoked', detail, { status });
  if (status === 404 || status === 410) return new HostFailure('gone', detail, { status });
  return new HostFailure('refused', detail, { status });
}

export const isSuccess = ({ status }: HostReply): boolean => status >= 200 && status < 300;

/** Reads a successful answer; any other one is a failure. */
export function readReply<Schema extends z.ZodType>(
  schema: Schema,
  hostName: string,
  reply: HostReply,
): z.output<Schema> {
  if (!isSuccess(reply)) throw refusalOf(hostName, reply);
  const parsed = schema.safeParse(reply.value);
  if (parsed.success) return parsed.data;
  throw new HostFailure('unreachable', `${hostName} answered in an unexpected form.`, { status: reply.status });
}
