import { considerBatch } from '#domain/findings/tracking/announce-batch.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { costlyFactsOf } from '../conditions/evaluate-filters.ts';
import { missingReference, type References, resolveReferences } from '../conditions/references.ts';
import type { DestinationAdapters } from '../deliveries/destination-adapter.ts';
import { listRunnable, type StoredAutomation } from '../store.ts';
import { type ConsideredBatch, findBatch, stageConsidered, triggerOf } from './considered-findings.ts';
import { matchConsidered } from './match-findings.ts';
import { runActions } from './run-actions.ts';
import { closeRun, openRun } from './run-log.ts';

/** What else is done in the transaction that considers a batch. */
export type BatchStep = (tx: Tx, batch: BatchToConsider) => Promise<unknown>;

export interface EngineParts {
  adapters: DestinationAdapters;
  steps?: readonly BatchStep[];
  clock?: () => Date;
}

export interface BatchToConsider {
  deployment: string;
  batch: string;
  at: Date;
}

/**
 * Considers a batch of changes for all automations of its trigger, in one transaction: what they remember, decide and
 * send is committed together, or not at all. The number of statements does not depend on the number of findings.
 */
export async function considerChanges(
  tx: Tx,
  adapters: DestinationAdapters,
  { deployment, batch: id, at }: BatchToConsider,
): Promise<void> {
  const batch = await findBatch(tx, deployment, id);
  const trigger = batch && triggerOf(batch);
  if (!batch || !trigger || batch.is_undone) return;
  // Loading a demo considers its batches itself, at their own time; the jobs of these batches come later.
  if (batch.is_made_up && at > new Date(batch.at)) return;
  const automations = await listRunnable(tx, deployment, trigger);
  if (automations.length === 0) return;
  const filters = automations.map((automation) => automation.filters);
  const considered = await stageConsidered(tx, deployment, { batch, needed: costlyFactsOf(filters) });
  if (considered === 0) return;
  const references = await resolveReferences(tx, deployment, filters);
  for (const automation of automations)
    await considerFor(tx, adapters, { deployment, batch, automation, references, considered, at });
}

interface AutomationTurn {
  deployment: string;
  batch: ConsideredBatch;
  automation: StoredAutomation;
  references: References;
  considered: number;
  at: Date;
}

async function considerFor(tx: Tx, adapters: DestinationAdapters, turn: AutomationTurn): Promise<void> {
  const { deployment, batch, automation, references, considered, at } = turn;
  const start = performance.now();
  const run = await openRun(tx, {
    deployment,
    automation,
    cause: 'batch',
    batch: batch.id,
    startedBy: '',
    at,
    considered,
  });
  if (run === undefined) return;
  const close = (matched: number, suppressed: Record<string, number>, failure?: string) =>
    closeRun(tx, { deployment, id: run }, { matched, suppressed, failure, durationMs: performance.now() - start });
  if (batch.automation_id === automation.id) {
    await close(0, { own_batch: considered });
    return;
  }
  const missing = missingReference(automation.filters, references);
  if (missing !== undefined) {
    await close(0, {}, `A condition names something that does not exist any more: ${missing}.`);
    return;
  }
  const { findings, suppressed } = await matchConsidered(tx, { deployment, automation, references, run, at });
  const counts = await runActions(tx, adapters, {
    ...{ deployment, automation, run, findings, at, batch: batch.id, scan: batch.scan_id },
    isFirstScan: batch.is_first_scan,
    depth: batch.depth,
  });
  await close(findings.length, { ...suppressed, ...counts });
}

export const considerHandler = ({ adapters, steps = [], clock = () => new Date() }: EngineParts): JobHandler =>
  jobHandler(considerBatch, async ({ deployment, payload, transact }) => {
    await transact(async (tx) => {
      const batch = { deployment, batch: payload.batch, at: clock() };
      await considerChanges(tx, adapters, batch);
      for (const step of steps) await step(tx, batch);
    });
  });
