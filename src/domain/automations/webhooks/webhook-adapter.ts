import type { Services } from '#kernel/http/pipeline/services.ts';
import { EgressFailure } from '#kernel/outbound/egress-failure.ts';
import type { EgressReply } from '#kernel/outbound/exchange.ts';
import type {
  DeliveryMessage,
  DeliveryOutcome,
  DeliveryToCompose,
  DestinationAdapter,
} from '../deliveries/destination-adapter.ts';
import { retryAfterMs } from '../deliveries/retry-schedule.ts';
import { findingEvents } from './finding-event.ts';
import { scanEventBody } from './scan-event.ts';
import { splitBodies } from './split-bodies.ts';
import { TEST_BODY } from './test-body.ts';
import { signatureHeaders } from './webhook-signature.ts';
import { findByConfig, findTarget, WEBHOOK_KIND, type WebhookTarget } from './webhook-store.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 2048;
const GONE = 410;

export type WebhookServices = Pick<Services, 'egress' | 'keys' | 'version'> & { readonly baseUrl: string };

const answerText = ({ body }: EgressReply): string => body.subarray(0, MAX_ANSWER_BYTES).toString('utf8');

function outcomeOf(reply: EgressReply, at: Date): DeliveryOutcome {
  const { status } = reply;
  const answer = answerText(reply);
  if (status >= 200 && status < 300) return { kind: 'sent', status, answer };
  if (status === GONE) return { kind: 'disabled', status, answer, detail: 'The receiver answered 410: it is gone.' };
  const pause = retryAfterMs(reply.headers['retry-after'], at);
  return {
    kind: 'failed',
    status,
    answer,
    detail: `The receiver answered ${status}; only 200 to 299 mean that it has the event.`,
    ...(pause !== undefined && { retryAfterMs: pause }),
  };
}

/** Posts one body. Everything but a complete answer of 2xx within 15 seconds is a failure. */
export async function postWebhook(
  { egress, version }: Pick<WebhookServices, 'egress' | 'version'>,
  { tenant, target }: { tenant: string; target: WebhookTarget },
  { id, body, at }: Pick<DeliveryMessage, 'id' | 'body' | 'at'>,
): Promise<DeliveryOutcome> {
  const { url, secrets } = target;
  // The older header has room for one signature: that of the old secret until the rotation ends.
  const legacySecret = secrets.at(-1);
  try {
    const reply = await egress.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Parapet/${version}`,
        ...signatureHeaders({ id, body, at, secrets, legacySecret }),
      },
      body,
      tenant,
      timeoutMs: TIMEOUT_MS,
    });
    return outcomeOf(reply, at);
  } catch (error) {
    if (error instanceof EgressFailure) return { kind: 'failed', detail: error.message };
    throw error;
  }
}

/** Webhooks: JSON over HTTPS, signed. */
export function webhookAdapter(services: WebhookServices): DestinationAdapter {
  const { keys } = services;
  return {
    kind: WEBHOOK_KIND,
    audience: 'machines',
    actions: ['ACTION_TYPE_WEBHOOK'],

    resolve: async (tx, deployment, { config }) => {
      const destination = await findByConfig(tx, deployment, config);
      return destination === undefined ? { skip: 'The webhook does not exist any more.' } : { destination };
    },

    compose: async (tx, delivery: DeliveryToCompose) => {
      const { deployment, kind, subject, findings } = delivery;
      if (kind === 'scan') {
        const body = await scanEventBody(tx, deployment, subject.scan ?? '0');
        return body === undefined ? [] : [body];
      }
      return splitBodies(await findingEvents(tx, { deployment, subject, baseUrl: services.baseUrl }, findings));
    },

    testBody: async () => TEST_BODY,

    connect: async (tx, { deployment, id }) => {
      const target = await findTarget(tx, keys, { deployment, id }, new Date());
      return async (message) =>
        target
          ? postWebhook(services, { tenant: deployment, target }, message)
          : { kind: 'disabled', detail: 'The webhook has no address any more.' };
    },
  };
}
