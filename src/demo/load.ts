import { demoLoad, MOST_ATTEMPTS } from '#domain/demo/job.ts';
import * as store from '#domain/demo/store.ts';
import type { Database } from '#kernel/db/database.ts';
import type { Powers } from '#kernel/http/powers.ts';
import { type Handler, handler } from '#kernel/jobs/handler.ts';
import { Context, type Step } from './context.ts';
import { planOf } from './plan.ts';

export interface Loading {
  db: Database;
  powers: Powers;
  deployment: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** One step with the note that it is done: all of it happens, or none. False when the demo was removed meanwhile. */
async function takeStep(
  { db, deployment }: Loading,
  { step, index, total, context }: { step: Step; index: number; total: number; context: Context },
): Promise<boolean> {
  const scope = { role: 'app', deployment, isRead: false, isLong: step.isLong === true } as const;
  return db.transaction(scope, async (tx) => {
    const done = await store.holdStep(tx, deployment);
    if (done === undefined) return false;
    if (done > index) return true;
    await step.run(tx, context);
    await store.setProgress(tx, deployment, { done: index + 1, total });
    return true;
  });
}

/** Fills a demo from where its loading stopped; gives undefined when there is no such demo any more. */
export async function loadDemo(loading: Loading): Promise<store.Demo | undefined> {
  const { db, powers, deployment, signal, onProgress } = loading;
  const find = () => db.transaction({ role: 'app', deployment, isRead: true }, (tx) => store.find(tx, deployment));
  const demo = await find();
  if (!demo || demo.state === 'ready') return demo;
  const context = new Context(demo, powers);
  const steps = planOf(demo);
  for (const [index, step] of steps.entries()) {
    if (index < demo.done) continue;
    signal?.throwIfAborted();
    if (!(await takeStep(loading, { step, index, total: steps.length, context }))) return undefined;
    onProgress?.(index + 1, steps.length);
  }
  return find();
}

/** Loads demos that somebody asked for; one whose last attempt fails says so, and goes on when asked for again. */
export const demoLoader = (db: Database, powers: Powers): Handler =>
  handler(demoLoad, async ({ payload: { deployment }, attempt, signal }) => {
    try {
      await loadDemo({ db, powers, deployment, signal });
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS && !signal.aborted)
        await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => store.setFailed(tx, deployment));
      throw error;
    }
  });
