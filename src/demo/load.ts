import * as store from '#domain/demo/store.ts';
import type { Database } from '#kernel/db/database.ts';
import { DemoContext, type DemoServices, type DemoStep } from './context.ts';
import { planOf } from './plan.ts';

export interface DemoLoadOptions {
  db: Database;
  services: DemoServices;
  deployment: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** Runs one step and records it in the same transaction. False when the demo was removed in the meantime. */
async function takeStep(
  { db, deployment }: DemoLoadOptions,
  { step, index, total, context }: { step: DemoStep; index: number; total: number; context: DemoContext },
): Promise<boolean> {
  const scope = { role: 'app', deployment, isRead: false, isLong: step.isLong === true } as const;
  return db.transaction(scope, async (tx) => {
    const done = await store.lockNextStep(tx, deployment);
    if (done === undefined) return false;
    if (done > index) return true;
    await step.run(tx, context);
    await store.setProgress(tx, deployment, { done: index + 1, total });
    return true;
  });
}

/** Continues loading a demo where it stopped; undefined when the demo no longer exists. */
export async function loadDemo(options: DemoLoadOptions): Promise<store.Demo | undefined> {
  const { db, services, deployment, signal, onProgress } = options;
  const find = () => db.transaction({ role: 'app', deployment, isRead: true }, (tx) => store.find(tx, deployment));
  const demo = await find();
  if (!demo || demo.state === 'ready') return demo;
  const context = new DemoContext(demo, services);
  const steps = planOf(demo);
  for (const [index, step] of steps.entries()) {
    if (index < demo.done) continue;
    signal?.throwIfAborted();
    if (!(await takeStep(options, { step, index, total: steps.length, context }))) return undefined;
    onProgress?.(index + 1, steps.length);
  }
  return find();
}
