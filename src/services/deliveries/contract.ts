import { z } from 'zod';
import {
  Delivery,
  DeliveryAttempt,
  DeliveryStateName,
  Destination,
  FindingDelivery,
} from '#domain/automations/deliveries/delivery-shape.ts';
import { FindingTicket } from '#domain/ticketing/ticketing-shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, timestamp } from '#kernel/contract/proto-fields.ts';

const MAX_IDS = 1000;

const base = '/api/notifications/deployments/{deploymentId}/deliveries';
const path = { deploymentId: deployment() };
const common = { maturity: 'experimental', isExtension: true } as const;
const read = { ...common, allow: 'delivery:read' } as const;
const manage = { ...common, allow: 'automation:manage', isStrict: true } as const;
const ids = z.array(id('Delivery')).min(1).max(MAX_IDS);
const changed = { deliveryIds: z.array(id('Delivery')) };

export const listDestinations = operation({
  ...read,
  route: 'GET /api/notifications/deployments/{deploymentId}/destinations',
  summary: 'List destinations',
  description: 'Webhooks and other receivers, with their last success, their failures and what waits for them.',
  path,
  reply: { destinations: z.array(Destination) },
});

export const listDeliveries = operation({
  ...read,
  route: `GET ${base}`,
  summary: 'List deliveries',
  description: 'Newest first, for 90 days.',
  path,
  query: {
    state: z.array(DeliveryStateName).optional(),
    automationId: id('Automation').optional(),
    destinationId: id('Destination').optional(),
    runId: id('AutomationRun').optional(),
    since: timestamp().optional(),
    cursor: cursor(),
    limit: limit(),
  },
  reply: { deliveries: z.array(Delivery), cursor: cursor() },
});

export const getDelivery = operation({
  ...read,
  route: `GET ${base}/{deliveryId}`,
  summary: 'Get a delivery',
  description:
    'With its attempts, newest first, its first 100 findings, and for 30 days with the bodies that were sent.',
  path: { ...path, deliveryId: id('Delivery') },
  reply: {
    delivery: Delivery,
    attempts: z.array(DeliveryAttempt),
    bodies: z.array(z.string()),
    issueIds: z.array(id('Finding')),
  },
});

export const listFindingDeliveries = operation({
  ...common,
  route: 'GET /api/notifications/deployments/{deploymentId}/findings/{findingId}/deliveries',
  summary: 'List what was sent about a finding',
  description: 'The newest 50 deliveries of automations that fired for it, and its ticket with the state.',
  allow: 'issue:read',
  path: { ...path, findingId: id('Finding') },
  reply: { deliveries: z.array(FindingDelivery), ticket: FindingTicket.optional() },
});

export const replayDeliveries = operation({
  ...manage,
  route: `POST ${base}:replay`,
  summary: 'Send deliveries again',
  description:
    'Those with these ids, or those to a destination that failed for good since a moment, at most 1000. They keep ' +
    'their ids and bodies. The reply names those that are sent again.',
  path,
  body: {
    deliveryIds: z.array(id('Delivery')).max(MAX_IDS).optional(),
    destinationId: id('Destination').optional(),
    failedSince: timestamp().optional(),
  },
  reply: changed,
});

export const releaseDeliveries = operation({
  ...manage,
  route: `POST ${base}:release`,
  summary: 'Send held deliveries',
  description: 'The reply names those that were held and are sent now.',
  path,
  body: { deliveryIds: ids },
  reply: changed,
});

export const dismissDeliveries = operation({
  ...manage,
  route: `POST ${base}:dismiss`,
  summary: 'Dismiss held deliveries',
  description: 'They are never sent. The reply names those that were held.',
  path,
  body: { deliveryIds: ids },
  reply: changed,
});
