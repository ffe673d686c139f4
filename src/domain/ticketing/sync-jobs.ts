import { z } from 'zod';
import { DELIVERY_QUEUE } from '#domain/automations/deliveries/delivery-store.ts';
import type { Database } from '#kernel/db/database.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueueAll, job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { SYNC_PERIOD_MS, syncInstance } from './sync-tickets.ts';
import type { TrackerServices } from './trackers/all-trackers.ts';

/** Compares the tickets of one tracker with their findings. It mostly waits, as deliveries do. */
const syncTickets = job({
  kind: 'ticket.sync',
  queue: DELIVERY_QUEUE,
  payload: { instance: z.string() },
  maxAttempts: 1,
});
const syncAllTickets = job({ kind: 'ticket.sync-all', payload: {}, isUrgent: false });

export const syncSchedule = every(SYNC_PERIOD_MS, syncAllTickets, {});

const Instance = z.object({ deployment_id: z.string(), destination_id: z.string() });

export const syncAllHandler = (db: Database): JobHandler =>
  jobHandler(syncAllTickets, async () => {
    await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const instances = await tx.all(Instance)`
        select deployment_id, destination_id from ticketing_instance where not is_auth_revoked`;
      await enqueueAll(
        tx,
        syncTickets,
        instances.map(({ deployment_id: deployment, destination_id: instance }) => ({
          deployment,
          payload: { instance },
          uniqueKey: instance,
        })),
      );
    });
  });

export const syncHandler = (db: Database, services: TrackerServices): JobHandler =>
  jobHandler(syncTickets, async ({ deployment, payload, signal }) => {
    const write = <Result>(work: Parameters<typeof db.transaction<Result>>[1]) =>
      db.transaction({ role: 'app', deployment, isRead: false }, work);
    await syncInstance(write, services, { deployment, id: payload.instance, at: new Date(), signal });
  });
