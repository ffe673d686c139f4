import * as lists from '#domain/automations/deliveries/delivery-list.ts';
import { dismissHeld, releaseHeld, replayDeliveries } from '#domain/automations/deliveries/delivery-store.ts';
import { listDestinations } from '#domain/automations/deliveries/destination-store.ts';
import { listFindingDeliveries } from '#domain/automations/deliveries/finding-deliveries.ts';
import { unknownFindingIds } from '#domain/findings/filter/finding-ids.ts';
import { findFindingTicket } from '#domain/ticketing/finding-ticket.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

type ChangeCall = Pick<Call, 'caller' | 'now' | 'answer'>;

const orderOf = ({ caller, now }: ChangeCall, ids: readonly string[]) => ({ ids, by: caller.name, at: now });

function replyWith({ answer }: ChangeCall, change: string, ids: readonly string[]) {
  answer.recordEffect({ object: 'delivery', after: { change, deliveries: ids } });
  return { deliveryIds: [...ids] as Id<'Delivery'>[] };
}

/** DeliveriesService: what automations sent, hold back and failed to send. */
export const deliveries = group(
  'DeliveriesService',
  contract,
  {
    listDestinations: async ({ path, tx }) => ({ destinations: await listDestinations(tx, path.deploymentId) }),

    listDeliveries: async ({ path, query, page, tx }) => {
      const filter = {
        states: query.state,
        automation: query.automationId,
        destination: query.destinationId,
        run: query.runId,
        since: query.since,
      };
      const rows = await lists.listDeliveries(tx, path.deploymentId, filter, page.window);
      const { items, cursor } = page.close(rows, ({ id }) => [id]);
      return { deliveries: items, cursor };
    },

    getDelivery: async ({ path, tx }) => {
      const { deploymentId: deployment, deliveryId } = path;
      const delivery = await lists.findDelivery(tx, deployment, deliveryId);
      if (!delivery) throw NOT_FOUND();
      return {
        delivery,
        attempts: await lists.listAttempts(tx, deployment, deliveryId),
        bodies: await lists.listBodies(tx, deployment, deliveryId),
        issueIds: (await lists.listDeliveredFindings(tx, deployment, deliveryId)) as Id<'Finding'>[],
      };
    },

    listFindingDeliveries: async ({ path, tx }) => {
      const ref = { deployment: path.deploymentId, finding: path.findingId };
      const ticket = await findFindingTicket(tx, ref);
      return { deliveries: await listFindingDeliveries(tx, ref), ...(ticket && { ticket }) };
    },

    replayDeliveries: async (call) => {
      const { path, body, tx } = call;
      const { destinationId: destination, failedSince: since } = body;
      const failed =
        destination === undefined || since === undefined
          ? []
          : await lists.failedSince(tx, path.deploymentId, { destination, since });
      const order = orderOf(call, [...(body.deliveryIds ?? []), ...failed]);
      return replyWith(call, 'replayed', await replayDeliveries(tx, path.deploymentId, order));
    },

    releaseDeliveries: async (call) => {
      const order = orderOf(call, call.body.deliveryIds);
      return replyWith(call, 'released', await releaseHeld(call.tx, call.path.deploymentId, order));
    },

    dismissDeliveries: async (call) => {
      const order = orderOf(call, call.body.deliveryIds);
      return replyWith(call, 'dismissed', await dismissHeld(call.tx, call.path.deploymentId, order));
    },
  },
  {
    objects: {
      deliveryId: async (tx, { deployment, id }) =>
        (await lists.findDelivery(tx, deployment, id)) ? new Set<string>() : undefined,
      findingId: async (tx, { caller, id }) =>
        (await unknownFindingIds(tx, { caller, now: new Date() }, [id])).size === 0 ? new Set<string>() : undefined,
    },
  },
);
