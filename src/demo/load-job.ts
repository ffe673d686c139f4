import { demoLoad, MAX_DEMO_LOAD_ATTEMPTS } from '#domain/demo/jobs.ts';
import * as store from '#domain/demo/store.ts';
import type { Database } from '#kernel/db/database.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import type { DemoServices } from './context.ts';

/**
 * The job that loads demos; after its last failed attempt the demo is marked as failed, and a new request continues it.
 * Its code is imported by the first such job, because it takes a quarter of the memory of an idle worker.
 */
export const demoLoader = (db: Database, services: DemoServices): JobHandler =>
  jobHandler(demoLoad, async ({ payload: { deployment }, attempt, signal }) => {
    try {
      const { loadDemo } = await import('./load.ts');
      await loadDemo({ db, services, deployment, signal });
    } catch (error) {
      if (attempt >= MAX_DEMO_LOAD_ATTEMPTS && !signal.aborted)
        await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => store.setFailed(tx, deployment));
      throw error;
    }
  });
