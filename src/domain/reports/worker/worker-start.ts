import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** Input of each worker. The compile cache saves a third of its start-up time. */
export interface WorkerStart {
  program: string;
  /** The server's compile cache; undefined if there is none. */
  cacheFolder: string | undefined;
  data: unknown;
}

const { program, cacheFolder } = workerData as WorkerStart;
if (cacheFolder !== undefined) enableCompileCache(cacheFolder);
await import(program);
