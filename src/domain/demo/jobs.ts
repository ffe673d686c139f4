import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';

const SERVER_DEPLOYMENT = '0';
export const MAX_DEMO_LOAD_ATTEMPTS = 3;

/** Loads a demo. The job belongs to the server, because the demo can be removed before it is loaded. */
export const demoLoad = job({
  kind: 'demo.load',
  payload: { deployment: z.string() },
  maxAttempts: MAX_DEMO_LOAD_ATTEMPTS,
});

export const enqueueDemoLoad = (tx: Tx, deployment: string): Promise<boolean> =>
  enqueue(tx, demoLoad, { deployment: SERVER_DEPLOYMENT, payload: { deployment }, uniqueKey: deployment });
