import type { Secret } from '#kernel/crypto/secret.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import type { EgressReply } from '#kernel/outbound/exchange.ts';
import { isRateLimited, rateLimitPauseMs } from '#kernel/outbound/rate-limit-reply.ts';
import { TrackerFailure } from './tracker-failure.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_SHOWN = 500;

export interface TrackerAccess {
  egress: Egress;
  tenant: string;
  version: string;
  headers: Readonly<Record<string, string | Secret>>;
  /** The beginning of every address. */
  base: string;
  timeoutMs?: number | undefined;
}

export interface TrackerCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  body?: unknown;
  /** True for calls that change nothing, of which a lost answer means nothing. */
  isRead?: boolean;
}

export interface TrackerReply {
  status: number;
  value: unknown;
}

/** The error of a request that got no complete answer: only what fails before the connection surely did nothing. */
function failureOf(error: unknown, isRead: boolean): unknown {
  if (!(error instanceof EgressFailure)) return error;
  const { reason, message, isUnsent } = error;
  if (reason === 'redirect') return new TrackerFailure('gone', message);
  return new TrackerFailure(isUnsent || isRead ? 'unreachable' : 'unclear', message);
}

const flatTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(flatTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => flatTexts(part).map((text) => `${name}: ${text}`));
};

/** What a tracker complains about: Jira's `errorMessages` and `errors`, and the `message` of the others. */
function complaintOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { errorMessages, errors, message, error } = value as Record<string, unknown>;
  const said = [errorMessages, errors, message, error].flatMap(flatTexts);
  return said
    .join(' ')
    .replaceAll(/\p{Cc}+/gu, ' ')
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

function statusFailure(reply: EgressReply, value: unknown, isRead: boolean): TrackerFailure {
  const { status } = reply;
  const complaint = complaintOf(value);
  const detail = `The tracker answered ${status}${complaint === '' ? '' : `: ${complaint}`}`;
  if (isRateLimited(reply))
    return new TrackerFailure('limited', detail, { status, retryAfterMs: rateLimitPauseMs(reply, Date.now()) });
  if (status === 401) return new TrackerFailure('revoked', detail, { status });
  if (status === 404 || status === 410) return new TrackerFailure('gone', detail, { status });
  if (status >= 500) return new TrackerFailure(isRead ? 'unreachable' : 'unclear', detail, { status });
  return new TrackerFailure('refused', detail, { status });
}

/** Calls a tracker and returns the JSON of its answer; any other answer than 2xx is a failure. */
export async function callTracker(access: TrackerAccess, call: TrackerCall): Promise<TrackerReply> {
  const { egress, tenant, version, headers, base } = access;
  const isRead = call.isRead ?? call.method === 'GET';
  let reply: EgressReply;
  try {
    reply = await egress.request({
      url: `${base}${call.path}`,
      method: call.method,
      headers: {
        accept: 'application/json',
        'user-agent': `Parapet/${version}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      tenant,
      timeoutMs: access.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
  } catch (error) {
    throw failureOf(error, isRead);
  }
  const value = parseJson(reply.body);
  if (reply.status < 200 || reply.status > 299) throw statusFailure(reply, value, isRead);
  if (value === undefined)
    throw new TrackerFailure(
      isRead ? 'unreachable' : 'unclear',
      'The tracker answered with something other than JSON.',
    );
  return { status: reply.status, value };
}

/** Calls a tracker; undefined if it does not have the object. */
export async function callIfThere(access: TrackerAccess, call: TrackerCall): Promise<TrackerReply | undefined> {
  try {
    return await callTracker(access, call);
  } catch (error) {
    if (error instanceof TrackerFailure && error.kind === 'gone') return undefined;
    throw error;
  }
}

/** Reads an answer with a schema: what does not fit is as unclear as no answer. */
export function readAnswer<Output>(
  schema: { safeParse(value: unknown): { success: true; data: Output } | { success: false } },
  { value }: TrackerReply,
  isRead = true,
): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TrackerFailure(isRead ? 'unreachable' : 'unclear', 'The tracker answered in an unexpected form.');
}
