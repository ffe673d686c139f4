import type pg from 'pg';
import type { Config } from '#kernel/config/config.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Assembly } from './assemble.ts';
import { sealAtStop, sealingOf } from './seal-at-stop.ts';
import { WorkerProcess } from './worker-process.ts';

/** The background work that a server is responsible for. */
export interface JobRunner {
  start(): void;
  /** Finishes the running jobs, within limits, and returns the others to the queue. */
  stop(): Promise<void>;
  /** Ends at once; the leases of the jobs expire. */
  kill(): void;
}

interface JobRunnerParts {
  assembly: Assembly;
  connection: pg.ClientConfig;
  log: Log;
}

const NO_JOBS: JobRunner = { start: () => undefined, stop: async () => undefined, kill: () => undefined };

/** Runs jobs where the setting says: in a process of their own, in this one, or not here. */
export async function jobRunnerOf(
  mode: Config['jobs'],
  { assembly, connection, log }: JobRunnerParts,
): Promise<JobRunner> {
  const { db, services, nodes, instance } = assembly;
  switch (mode) {
    case 'off':
      return NO_JOBS;
    case 'server': {
      // Imported here, because a server with a worker needs no code of jobs.
      const { Background } = await import('./background.ts');
      const background = new Background({ db, connection, services, instance, workerId: nodes.id, log });
      // In this process, jobs end with it.
      return { start: () => background.start(), stop: () => background.stop(), kill: () => undefined };
    }
    case 'worker': {
      const worker = new WorkerProcess({ baseUrl: services.baseUrl, log });
      return {
        start: () => worker.start(),
        stop: async () => {
          await worker.stop();
          // The worker may have ended before the last requests, because a terminal signals all processes.
          await sealAtStop(sealingOf({ db, keys: services.keys, log }));
        },
        kill: () => worker.kill(),
      };
    }
  }
}
