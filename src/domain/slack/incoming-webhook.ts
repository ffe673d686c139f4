import { z } from 'zod';
import type {
  DeliveryMessage,
  DeliveryOutcome,
  DestinationAdapter,
} from '#domain/automations/deliveries/destination-adapter.ts';
import { insertDestination } from '#domain/automations/deliveries/destination-store.ts';
import { retryAfterMs } from '#domain/automations/deliveries/retry-schedule.ts';
import { summarizeFindings } from '#domain/automations/people/finding-summary.ts';
import { findByConfig, findTarget, SLACK_WEBHOOK_KIND } from '#domain/automations/webhooks/webhook-store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import type { SlackServices } from './slack-client.ts';
import { findingsText, testText } from './slack-text.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 2048;
const MIN_INTERVAL_MS = 1000;
/** Slack answers so when the webhook, its channel or its app was removed. */
const GONE = /^(no_service|no_active_hooks|no_team|channel_not_found|channel_is_archived|invalid_token)$/;

/** Posts one message to an incoming webhook of Slack, Mattermost or another chat that speaks its format. */
export async function postIncoming(
  { egress, version }: Pick<SlackServices, 'egress' | 'version'>,
  { tenant, url }: { tenant: string; url: string },
  { body, at }: Pick<DeliveryMessage, 'body' | 'at'>,
): Promise<DeliveryOutcome> {
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': `Parapet/${version}` };
    const reply = await egress.request({ url, method: 'POST', headers, body, tenant, timeoutMs: TIMEOUT_MS });
    const answer = reply.body.subarray(0, MAX_ANSWER_BYTES).toString('utf8');
    const { status } = reply;
    const detail = `The chat answered ${status}.`;
    if (status >= 200 && status < 300) return { kind: 'sent', status, answer };
    if (status === 410 || GONE.test(answer.trim())) return { kind: 'disabled', status, answer, detail };
    const pause = retryAfterMs(reply.headers['retry-after'], at);
    if (status === 429) return { kind: 'failed', status, answer, detail, retryAfterMs: pause ?? MIN_INTERVAL_MS };
    if (status >= 500) return { kind: 'unclear', status, answer, detail };
    return { kind: 'refused', status, answer, detail };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    return { kind: error.isUnsent ? 'failed' : 'unclear', detail: error.message };
  }
}

const Found = z.object({ id: z.string(), kind: z.string(), name: z.string() });
const Key = z.object({ key: z.string(), kind: z.string() });

/**
 * The destination of messages to a webhook: the webhook of a rule itself, or one beside a webhook that gets JSON events
 * from other automations, because order, pauses and limits are those of a chat.
 */
async function resolve(tx: Tx, deployment: string, config: Readonly<Record<string, string>>) {
  const webhook = await findByConfig(tx, deployment, config);
  const found = await tx.one(Found)`
    select id, kind, name from destination where deployment_id = ${deployment} and id = ${webhook ?? '0'}`;
  if (!found) return { skip: 'The webhook does not exist any more.' };
  if (found.kind === SLACK_WEBHOOK_KIND) return { destination: found.id };
  const beside = await tx.one(Found)`
    select id, kind, name from destination
    where deployment_id = ${deployment} and kind = ${SLACK_WEBHOOK_KIND} and key = ${found.id}`;
  if (beside) return { destination: beside.id };
  const { id: key, name } = found;
  return { destination: await insertDestination(tx, { deployment, kind: SLACK_WEBHOOK_KIND, key, name }) };
}

/** Incoming webhooks of chats: the same messages as those of the app, but never updated. */
export function incomingWebhookAdapter(services: SlackServices): DestinationAdapter {
  return {
    kind: SLACK_WEBHOOK_KIND,
    audience: 'people',
    actions: ['ACTION_TYPE_SLACK_WEBHOOK'],
    minIntervalMs: MIN_INTERVAL_MS,

    resolve: (tx, deployment, { config }) => resolve(tx, deployment, config),

    compose: async (tx, { deployment, kind, subject, findings }) => {
      const summary = await summarizeFindings(tx, { deployment, findings, scan: subject.scan });
      if (!summary) return [];
      const { automations = [] } = subject;
      return [JSON.stringify(findingsText(summary, { baseUrl: services.baseUrl, automations, kind }))];
    },

    testBody: async () => JSON.stringify(testText()),

    connect: async (tx, { deployment, id }) => {
      const own = await findTarget(tx, services.keys, { deployment, id }, new Date());
      const key = own
        ? undefined
        : await tx.one(Key)`select key, kind from destination where deployment_id = ${deployment} and id = ${id}`;
      const isNumber = /^\d{1,18}$/.test(key?.key ?? '');
      const target =
        own ??
        (isNumber && key ? await findTarget(tx, services.keys, { deployment, id: key.key }, new Date()) : undefined);
      return async (message) =>
        target
          ? postIncoming(services, { tenant: deployment, url: target.url }, message)
          : { kind: 'disabled', detail: 'The webhook does not exist any more.' };
    },
  };
}
