import type { Database } from '#kernel/db/database.ts';
import type { JobHandler } from '#kernel/jobs/handler.ts';
import { scmEventHandler } from './handle-event.ts';
import type { ScmServices } from './open-host.ts';
import { hookRepositoriesHandler, syncConfigHandler, syncTaskHandler } from './scm-jobs.ts';

/** The jobs that call code hosts. */
export const scmHandlers = (db: Database, services: ScmServices): JobHandler[] =>
  [syncConfigHandler, syncTaskHandler, hookRepositoriesHandler, scmEventHandler].map((handler) =>
    handler(db, services),
  );
