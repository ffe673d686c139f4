import { activateDestination, deleteDestination } from '#domain/automations/deliveries/destination-store.ts';
import { pauseDependents } from '#domain/automations/store.ts';
import { recordTest, sendTest } from '#domain/automations/webhooks/send-test.ts';
import * as store from '#domain/automations/webhooks/webhook-store.ts';
import { slugOf } from '#domain/deployments/rules.ts';
import * as deployments from '#domain/deployments/store.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import type { Egress } from '#kernel/outbound/egress.ts';
import { withQuantizedDuration } from '#kernel/outbound/quantized-time.ts';
import * as contract from './contract.ts';

const HOUR_MS = 3_600_000;

function refuseUrl(egress: Egress, url: string): void {
  if (egress.accepts(url)) return;
  const errors = [{ pointer: '#/url', code: 'URL_REFUSED', detail: 'is not a URL that this server calls' }];
  throw contract.WEBHOOK_URL_REFUSED({ errors });
}

/** A URL may contain a token, so records have only its origin. */
const recorded = ({ url, version: _, ...webhook }: store.StoredWebhook) => ({
  ...webhook,
  origin: new URL(url).origin,
});

function answerWith(answer: Call['answer'], { version, ...webhook }: store.StoredWebhook) {
  answer.setEtag(version);
  return { webhook };
}

async function found(tx: Tx, ref: { deployment: string; id: string }): Promise<store.StoredWebhook> {
  const webhook = await store.find(tx, ref);
  if (!webhook) throw NOT_FOUND();
  return webhook;
}

async function locked(tx: Tx, ref: { deployment: string; id: string }): Promise<store.StoredWebhook> {
  const webhook = await store.findForUpdate(tx, ref);
  if (!webhook) throw NOT_FOUND();
  return webhook;
}

type UpdateCall = Pick<Call<typeof contract.updateNotificationWebhook>, 'body' | 'tx' | 'services'>;

/** A stored secret is used only for the URL for which it was given. */
async function changeSecret(
  { body, tx, services }: UpdateCall,
  ref: { deployment: string; id: string },
  isNewUrl: boolean,
): Promise<void> {
  if (body.webhookSecret !== undefined) await store.setSecret(tx, services.keys, ref, new Secret(body.webhookSecret));
  else if (body.removeSecret === true || isNewUrl) await store.clearSecret(tx, ref);
}

/** NotificationWebhooksService: receivers of findings and scan events. */
export const notificationWebhooks = group(
  'NotificationWebhooksService',
  contract,
  {
    listNotificationWebhooks: async ({ path, tx }) => ({ webhooks: await store.list(tx, path.deploymentId) }),

    createNotificationWebhook: async ({ path, body, tx, services, answer }) => {
      refuseUrl(services.egress, body.url);
      const deployment = path.deploymentId;
      await deployments.lock(tx, deployment);
      if ((await store.countAll(tx, deployment)) >= contract.MAX_NOTIFICATION_WEBHOOKS)
        throw contract.WEBHOOK_QUOTA({ most: contract.MAX_NOTIFICATION_WEBHOOKS });
      const id = await store.insert(tx, services.keys, {
        deployment,
        name: body.name.trim(),
        url: body.url,
        secret: body.webhookSecret === undefined ? undefined : new Secret(body.webhookSecret),
        useNetworkBroker: body.useNetworkBroker ?? false,
        sendScanCompletion: body.sendScanCompletion ?? false,
      });
      const webhook = await found(tx, { deployment, id });
      answer.recordEffect({ object: `notification-webhook/${id}`, after: recorded(webhook) });
      return answerWith(answer, webhook);
    },

    deleteNotificationWebhook: async ({ path, tx, caller, now, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.webhookId };
      const before = await locked(tx, ref);
      const paused = await pauseDependents(tx, ref.deployment, {
        actions: ['ACTION_TYPE_WEBHOOK', 'ACTION_TYPE_SLACK_WEBHOOK'],
        keys: ['webhook_id', 'webhook_name', 'webhook_slug'],
        values: [ref.id, before.name, slugOf(before.name)],
        by: caller.name,
        reason: `The webhook ${before.name} was deleted.`,
      });
      await deleteDestination(tx, ref, { by: caller.name, at: now });
      const after = { pausedAutomations: paused.map(({ id }) => id) };
      answer.recordEffect({ object: `notification-webhook/${ref.id}`, before: recorded(before), after });
      return {};
    },

    getNotificationWebhook: async ({ path, tx, answer }) =>
      answerWith(answer, await found(tx, { deployment: path.deploymentId, id: path.webhookId })),

    updateNotificationWebhook: async ({ path, body, tx, services, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.webhookId };
      const before = await locked(tx, ref);
      answer.expectVersion(before.version);
      const url = body.url ?? before.url;
      refuseUrl(services.egress, url);
      await store.update(tx, ref, {
        name: body.name?.trim() ?? before.name,
        url,
        useNetworkBroker: body.useNetworkBroker ?? before.useNetworkBroker,
        sendScanCompletion: body.sendScanCompletion ?? before.sendScanCompletion,
      });
      await changeSecret({ body, tx, services }, ref, url !== before.url);
      await activateDestination(tx, ref);
      const after = await found(tx, ref);
      const hasNewSecret = body.webhookSecret !== undefined;
      answer.recordEffect({
        object: `notification-webhook/${ref.id}`,
        before: recorded(before),
        after: { ...recorded(after), hasNewSecret, hasNewUrl: url !== before.url },
      });
      return answerWith(answer, after);
    },

    testNotificationWebhook: ({ path, read, transact, services, now, answer }) =>
      withQuantizedDuration(services.sleep, async () => {
        const ref = { deployment: path.deploymentId, id: path.webhookId };
        const target = await read((tx) => store.findTarget(tx, services.keys, ref, now));
        if (!target) throw NOT_FOUND();
        const request = { deployment: ref.deployment, webhook: ref.id, target, at: now };
        const result = await sendTest(services, request);
        const { outcome } = result;
        const reply = {
          success: outcome.kind === 'sent',
          errorDetail: outcome.kind === 'sent' ? '' : outcome.detail,
        };
        answer.recordEffect({ object: `notification-webhook/${ref.id}`, after: { test: reply } });
        await transact((tx) => recordTest(tx, request, result));
        return reply;
      }),

    rotateWebhookSecret: async ({ path, body, tx, services, now, answer }) => {
      const ref = { deployment: path.deploymentId, id: path.webhookId };
      const before = await locked(tx, ref);
      if (!before.hasSecret) throw contract.WEBHOOK_WITHOUT_SECRET();
      if (body.webhookSecret !== undefined)
        await store.rotateSecret(tx, services.keys, ref, {
          secret: new Secret(body.webhookSecret),
          until: new Date(now.getTime() + body.overlapHours * HOUR_MS),
        });
      if (body.overlapHours === 0) await store.endRotation(tx, ref);
      const after = await found(tx, ref);
      answer.recordEffect({
        object: `notification-webhook/${ref.id}`,
        before: recorded(before),
        after: { ...recorded(after), hasNewSecret: body.webhookSecret !== undefined },
      });
      return answerWith(answer, after);
    },
  },
  {
    objects: {
      webhookId: async (tx, { deployment, id }) =>
        (await store.find(tx, { deployment, id })) ? new Set<string>() : undefined,
    },
  },
);
