import { enableCompileCache } from 'node:module';
import { workerData } from 'node:worker_threads';

/** What each worker is started with: its program comes out of the cache, which saves a third of the time to start. */
export interface WorkerStart {
  program: string;
  /** Where the server has its compiled programs; none where it cannot keep them. */
  cacheFolder: string | undefined;
  data: unknown;
}

const { program, cacheFolder } = workerData as WorkerStart;
if (cacheFolder !== undefined) enableCompileCache(cacheFolder);
await import(program);
