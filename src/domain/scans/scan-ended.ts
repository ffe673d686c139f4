import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';

/** The job that tells others about the end of a scan; webhooks handle it, which scans do not know. */
export const scanEnded = job({ kind: 'scan.ended', payload: { scan: z.string() } });

/** Announces that a scan ended, with or without findings, in the transaction that ends it. */
export async function announceScanEnd(
  tx: Tx,
  { deployment, scan }: { deployment: string; scan: string },
): Promise<void> {
  await enqueue(tx, scanEnded, { deployment, payload: { scan }, uniqueKey: scan });
}
