import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';

/** The job that considers a batch of changes; the automations handle it, which findings do not know. */
export const considerBatch = job({ kind: 'automation.consider', payload: { batch: z.string() } });

/** Has automations consider the batch after this transaction, once for all of its findings. */
export async function announceBatch(
  tx: Tx,
  { deployment, batch }: { deployment: string; batch: string },
): Promise<void> {
  await enqueue(tx, considerBatch, { deployment, payload: { batch } });
}
