import { z } from 'zod';
import type {
  DeliveryMessage,
  DeliveryOutcome,
  DeliveryToCompose,
  DestinationAdapter,
  WriteDuringSend,
} from '#domain/automations/deliveries/destination-adapter.ts';
import { summarizeFindings } from '#domain/automations/people/finding-summary.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findChannel, findChannelByConfig, SLACK_DESTINATION } from './slack-channels.ts';
import { callSlack, type SlackAccess, type SlackServices } from './slack-client.ts';
import { SlackFailure } from './slack-failure.ts';
import { findBotToken, markSlackRevoked } from './slack-installations.ts';
import { findMessage, findScanMessage, recordProgress, recordSent, type SentMessage } from './slack-messages.ts';
import { outcomeOfFailure } from './slack-outcome.ts';
import { findingsText } from './slack-text.ts';

/** Slack accepts one message per second and channel. */
const MIN_INTERVAL_MS = 1000;

/** The body of a delivery: what Slack gets, and the message that it replaces, if any. */
const SlackBody = z.object({
  delivery: z.string(),
  /** The delivery that sent the message which is updated. */
  updates: z.string().optional(),
  openCount: z.number(),
  call: z.object({ ts: z.string().optional() }).and(z.record(z.string(), z.json())),
});

const Posted = z.object({ ts: z.string() });

/** The message that a delivery continues: its own subject names it, or one of the same scan was sent before. */
const continuedBy = (tx: Tx, { deployment, id, subject }: DeliveryToCompose): Promise<SentMessage | undefined> =>
  subject.message === undefined
    ? findScanMessage(tx, { deployment, delivery: id, scan: subject.scan })
    : findMessage(tx, { deployment, delivery: subject.message });

async function compose(
  tx: Tx,
  services: SlackServices,
  delivery: DeliveryToCompose,
): Promise<string[] | { skip: string }> {
  const { deployment, id, kind, subject } = delivery;
  const earlier = await continuedBy(tx, delivery);
  if (kind === 'progress' && !earlier) return { skip: 'The message does not exist any more.' };
  const findings = [...new Set([...(earlier?.findings ?? []), ...delivery.findings])];
  const summary = await summarizeFindings(tx, { deployment, findings, scan: earlier?.scan ?? subject.scan });
  if (!summary) return [];
  if (kind === 'progress' && summary.open === earlier?.open_count) return { skip: 'Nothing changed.' };
  const { baseUrl } = services;
  const automations = [...(earlier?.automations ?? []), ...(subject.automations ?? [])].filter(
    (one, index, all) => all.findIndex((other) => other.id === one.id) === index,
  );
  const call = {
    ...findingsText(summary, { baseUrl, automations, kind }),
    ...(earlier ? { ts: earlier.timestamp_id } : { unfurl_links: false, unfurl_media: false }),
  };
  const openCount = summary.open;
  return [JSON.stringify({ delivery: id, ...(earlier && { updates: earlier.delivery }), openCount, call })];
}

interface SlackTarget {
  deployment: string;
  channel: string;
  access: SlackAccess;
  write: WriteDuringSend;
}

/** Posts a message, or updates the one that it continues, and remembers it. */
async function send(target: SlackTarget, { body, at }: DeliveryMessage): Promise<DeliveryOutcome> {
  const { deployment, channel, access, write } = target;
  const { delivery, updates, openCount, call } = SlackBody.parse(JSON.parse(body));
  const method = updates === undefined ? 'chat.postMessage' : 'chat.update';
  try {
    const { ts } = await callSlack(access, { method, json: { ...call, channel } }, Posted);
    await write((tx) =>
      updates === undefined
        ? recordSent(tx, { deployment, delivery, timestampId: ts, openCount, at })
        : recordProgress(tx, { deployment, delivery, message: updates, openCount }),
    );
    return { kind: 'sent', status: 200, reference: ts };
  } catch (error) {
    if (error instanceof SlackFailure && error.kind === 'revoked')
      await write((tx) => markSlackRevoked(tx, deployment));
    return outcomeOfFailure(error, { isRepeatable: updates !== undefined });
  }
}

/** Slack channels: one message for each scan and channel, which is updated in place. */
export function slackAdapter(services: SlackServices): DestinationAdapter {
  return {
    kind: SLACK_DESTINATION,
    audience: 'people',
    actions: ['ACTION_TYPE_SLACK_APP'],
    minIntervalMs: MIN_INTERVAL_MS,

    resolve: async (tx, deployment, { config }) => {
      const destination = await findChannelByConfig(tx, deployment, config);
      return destination === undefined ? { skip: 'The Slack channel is not connected.' } : { destination };
    },

    compose: (tx, delivery) => compose(tx, services, delivery),

    connect: async (tx, { deployment, id }, write) => {
      const [channel, token] = [
        await findChannel(tx, { deployment, id }),
        await findBotToken(tx, services.keys, deployment),
      ];
      return async (message) =>
        channel && token
          ? send(
              { deployment, channel: channel.channel_id, access: { services, tenant: deployment, token }, write },
              message,
            )
          : { kind: 'disabled', detail: 'The Slack app is not installed any more.' };
    },
  };
}
