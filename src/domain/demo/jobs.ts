import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';

const SERVER = '0';
export const MAX_DEMO_LOAD_ATTEMPTS = 3;

/** Fills a demo; it belongs to the server, because the demo may be gone before it is full. */
export const demoLoad = job({
  kind: 'demo.load',
  payload: { deployment: z.string() },
  maxAttempts: MAX_DEMO_LOAD_ATTEMPTS,
});

export const enqueueDemoLoad = (tx: Tx, deployment: string): Promise<boolean> =>
  enqueue(tx, demoLoad, { deployment: SERVER, payload: { deployment }, uniqueKey: deployment });
