import { scanEnded } from '#domain/scans/scan-ended.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import { listForScanEvents } from './webhook-store.ts';

/** Sends an event to the webhooks that want to know of every scan. */
export const scanEventHandler = (clock: () => Date = () => new Date()): JobHandler =>
  jobHandler(scanEnded, async ({ deployment, payload: { scan }, transact }) => {
    await transact(async (tx) => {
      const at = clock();
      for (const destination of await listForScanEvents(tx, deployment))
        await insertDelivery(tx, {
          ...{ deployment, destination, kind: 'scan', subject: { scan }, findings: [], state: 'waiting', at },
        });
    });
  });
