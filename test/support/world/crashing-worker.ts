import { z } from 'zod';
import { Database } from '#kernel/db/database.ts';
import { jobHandler } from '#kernel/jobs/handler.ts';
import { job } from '#kernel/jobs/job.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';

// A test program: a worker that crashes on one kind of job, so that its leases expire.
const connection = JSON.parse(process.argv[2] ?? '');
const poison = job({ kind: 'test.poison', payload: {} });
const harmless = job({ kind: 'test.harmless', payload: { name: z.string() } });

new JobWorker({
  db: new Database({ connection, poolMax: 2, onError: () => undefined }),
  connection,
  handlers: [
    jobHandler(poison, async () => void process.kill(process.pid, 'SIGKILL')),
    jobHandler(harmless, ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
  ],
  log: makeLog('silent'),
  workerId: 'poisoned',
  timing: { leaseMs: 300, heartbeatMs: 100, pollMs: 50 },
}).start();
