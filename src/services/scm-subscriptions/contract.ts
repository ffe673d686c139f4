import { z } from 'zod';
import { SCM_REFUSED, SCM_UNAVAILABLE, ScmSubscription } from '#domain/scm/scm-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id } from '#kernel/contract/proto-fields.ts';

export const SCM_SUBSCRIBED = fault(
  'SCM_SUBSCRIBED',
  409,
  'The code host sends webhooks for this connection already.',
  'Rotate the secret if it may be known to others; unsubscribe first to register the webhook anew.',
);

const base = '/api/scm/deployments/{deploymentId}/subscriptions/{configId}';
const path = { deploymentId: deployment(), configId: id('ScmConfig') };
const facts = { maturity: 'experimental' } as const;
const calling = { ...facts, allow: 'credential:manage', transaction: 'manual', limitPolicy: 'check' } as const;
const names = { deploymentId: id('Deployment'), configId: id('ScmConfig') };

export const listScmWebhookSubscription = operation({
  ...facts,
  allow: 'credential:read',
  route: `GET ${base}`,
  summary: 'Get whether a code host sends webhooks',
  description: 'Empty as long as none is registered. An app has its webhook from the beginning.',
  path,
  reply: { ...names, subscriptions: z.array(ScmSubscription) },
});

export const scmWebhookSubscriptionSubscribe = operation({
  ...calling,
  route: `PUT ${base}`,
  summary: 'Register a webhook at a code host',
  description:
    'One for the whole namespace; where the host has none, or refuses it, one in each repository. Then changes are ' +
    'seen within seconds instead of once a day. Its secret is made here, and never shown.',
  path,
  reply: { ...names, subscription: ScmSubscription },
  faults: [NOT_FOUND, SCM_SUBSCRIBED, SCM_REFUSED, SCM_UNAVAILABLE],
});

export const scmWebhookSubscriptionUnsubscribe = operation({
  ...calling,
  route: `DELETE ${base}`,
  summary: 'Remove the webhook at a code host',
  description: 'If the host cannot be told, its webhook stays there and its deliveries are refused here.',
  path,
  reply: { ...names, subscription: ScmSubscription },
  faults: [NOT_FOUND],
});

export const rotateScmWebhookSecret = operation({
  ...calling,
  route: `POST ${base}/rotate_secret`,
  summary: 'Replace the secret of the webhook at a code host',
  description:
    'Deliveries that are signed with the old secret are accepted for another day. `success` is false if the host ' +
    'does not take the new one: then the old one stays.',
  path,
  reply: { success: z.boolean() },
  faults: [NOT_FOUND],
});
