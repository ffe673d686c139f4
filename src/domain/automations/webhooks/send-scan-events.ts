import { scanEnded } from '#domain/scans/scan-ended.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { insertDelivery } from '../deliveries/delivery-store.ts';
import { listForScanEvents } from './webhook-store.ts';

/** What else is done in the transaction that announces the end of a scan. */
export type ScanEndStep = (tx: Tx, ended: { deployment: string; scan: string; at: Date }) => Promise<unknown>;

/** Sends an event to the webhooks that want to know of every scan. */
export const scanEventHandler = (
  steps: readonly ScanEndStep[] = [],
  clock: () => Date = () => new Date(),
): JobHandler =>
  jobHandler(scanEnded, async ({ deployment, payload: { scan }, transact }) => {
    await transact(async (tx) => {
      const at = clock();
      for (const destination of await listForScanEvents(tx, deployment))
        await insertDelivery(tx, {
          ...{ deployment, destination, kind: 'scan', subject: { scan }, findings: [], state: 'waiting', at },
        });
      for (const step of steps) await step(tx, { deployment, scan, at });
    });
  });
