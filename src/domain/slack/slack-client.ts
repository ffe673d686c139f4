import { z } from 'zod';
import { retryAfterMs } from '#domain/automations/deliveries/retry-schedule.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import type { EgressReply } from '#kernel/outbound/exchange.ts';
import { SlackFailure, type SlackFailureKind } from './slack-failure.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 ** 2;

export type SlackServices = Pick<Services, 'egress' | 'keys' | 'version' | 'slackUrl'> & { readonly baseUrl: string };

export interface SlackAccess {
  services: Pick<SlackServices, 'egress' | 'version' | 'slackUrl'>;
  tenant: string;
  token?: Secret | undefined;
}

/** What the error codes of Slack mean; all others mean that it refuses this call. */
const KINDS: Readonly<Record<string, SlackFailureKind>> = {
  ...Object.fromEntries(
    ['token_revoked', 'invalid_auth', 'account_inactive', 'not_authed', 'token_expired', 'team_access_not_granted'].map(
      (code) => [code, 'revoked' as const],
    ),
  ),
  ...Object.fromEntries(
    ['channel_not_found', 'is_archived', 'not_in_channel', 'channel_is_archived', 'restricted_action'].map((code) => [
      code,
      'channel' as const,
    ]),
  ),
  ...Object.fromEntries(
    ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org'].map((code) => [
      code,
      'unclear' as const,
    ]),
  ),
  ratelimited: 'limited',
  rate_limited: 'limited',
  message_not_found: 'gone',
  cant_update_message: 'gone',
  edit_window_closed: 'gone',
};

const DEFAULT_PAUSE_MS = 30_000;
const Answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

export interface SlackCall {
  method: string;
  /** Sent as JSON, which only the methods that write accept. */
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /** The credentials of the app itself, for the end of an installation. */
  app?: { clientId: string; clientSecret: Secret };
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof EgressFailure)) return error;
  return new SlackFailure(error.isUnsent ? 'unreachable' : 'unclear', error.message);
}

function parseAnswer(body: Buffer): z.output<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function refusalOf({ status, headers }: EgressReply, code: string | undefined): SlackFailure {
  const word = code?.replaceAll(/[^\w.:-]/g, '').slice(0, 100) ?? String(status);
  const detail = `Slack answered ${word}.`;
  const kind = code === undefined ? undefined : (KINDS[code] ?? 'refused');
  if (status === 429 || kind === 'limited') {
    const pause = retryAfterMs(headers['retry-after'], new Date()) ?? DEFAULT_PAUSE_MS;
    return new SlackFailure('limited', detail, { status, retryAfterMs: pause });
  }
  if (kind !== undefined) return new SlackFailure(kind, detail, { status });
  if (status === 401 || status === 403) return new SlackFailure('revoked', detail, { status });
  return new SlackFailure(status >= 400 && status < 500 ? 'refused' : 'unclear', detail, { status });
}

const bodyOf = ({ json, form }: SlackCall): { type: string; body: string } =>
  json === undefined
    ? { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() }
    : { type: 'application/json; charset=utf-8', body: JSON.stringify(json) };

function authorizationOf({ token }: SlackAccess, { app }: SlackCall): Record<string, Secret> {
  if (app) {
    const pair = Buffer.from(`${app.clientId}:${reveal(app.clientSecret)}`).toString('base64');
    return { authorization: new Secret(`Basic ${pair}`) };
  }
  return token ? { authorization: new Secret(`Bearer ${reveal(token)}`) } : {};
}

/** Calls a method of Slack and returns its answer; everything but `ok` is a SlackFailure. */
export async function callSlack<Output>(
  access: SlackAccess,
  call: SlackCall,
  schema: z.ZodType<Output>,
): Promise<Output> {
  const { egress, version, slackUrl } = access.services;
  const { type, body } = bodyOf(call);
  let reply: EgressReply;
  try {
    reply = await egress.request({
      url: new URL(`/api/${call.method}`, slackUrl).href,
      method: 'POST',
      headers: { 'content-type': type, 'user-agent': `Parapet/${version}`, ...authorizationOf(access, call) },
      body: new Secret(body),
      tenant: access.tenant,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
  } catch (error) {
    throw failureOf(error);
  }
  const answer = parseAnswer(reply.body);
  if (reply.status !== 200 || answer?.ok !== true) throw refusalOf(reply, answer?.error);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new SlackFailure('unclear', 'Slack answered in an unexpected form.');
  return parsed.data;
}
