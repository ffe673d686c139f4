import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { asProblem } from '#web/api/problem.ts';
import { issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { say, sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { begin, forget, keep, refuse, withdraw } from './decided.ts';
import { type Decision, doneLabel, paramsOf } from './decision.ts';

const MOST_AT_ONCE = 500;

interface Outcome {
  batches: string[];
  requested: number;
}

function chunked(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MOST_AT_ONCE);
  return Array.from({ length: count }, (_, index) => ids.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE));
}

/** Decisions are sent one after the other, so that the last one that was made is the one that stays. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const next = queue.then(work);
  queue = next.catch(() => undefined);
  return next;
}

async function send(deploymentId: string, ids: readonly string[], decision: Decision): Promise<Outcome> {
  const outcome: Outcome = { batches: [], requested: 0 };
  for (const some of chunked(ids)) {
    const { batchId, numExceptionsRequested } = await issues.bulkUpdateIssues({
      path: { deploymentId },
      body: { filter: { ids: some }, params: paramsOf(decision) },
    });
    if (batchId !== undefined) outcome.batches.push(batchId);
    outcome.requested += numExceptionsRequested;
  }
  return outcome;
}

export interface Triage {
  /** Shown at once; on failure the findings return to what they were, with the reason. Never rejects. */
  triage: (ids: readonly string[], decision: Decision) => Promise<void>;
  /** Takes batches of decisions back, the last first. */
  undo: (batchIds: readonly string[], ids: readonly string[]) => Promise<void>;
}

/** Decides about findings: optimistic, announced, and with a way back. */
export function useTriage(): Triage {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const refresh = useCallback(
    async (ids: readonly string[]) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [deploymentId, 'counts'] }),
        ...ids.slice(0, 10).map((id) => queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue', id] })),
      ]);
    },
    [deploymentId, queryClient],
  );
  const undo = useCallback(
    async (batchIds: readonly string[], ids: readonly string[]) => {
      for (const batchId of batchIds.toReversed())
        await inTurn(() => issues.undoBatch({ path: { deploymentId, batchId }, body: {} }));
      forget(ids);
      await Promise.all([refresh(ids), queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'] })]);
    },
    [deploymentId, queryClient, refresh],
  );
  const triage = useCallback(
    async (ids: readonly string[], decision: Decision) => {
      if (ids.length === 0) return;
      const turn = begin(ids, decision);
      try {
        const { batches, requested } = await inTurn(() => send(deploymentId, ids, decision));
        if (requested > 0) {
          withdraw(ids, turn);
          say(`${requested === 1 ? 'An administrator is' : 'Administrators are'} asked to approve ${requested}.`);
        } else keep(ids, turn);
        if (batches.length > 0) sayWithUndo(doneLabel(ids, decision), () => undo(batches, ids));
        else if (requested === 0) say(`${doneLabel(ids, decision)}, as it was`);
        await refresh(ids);
      } catch (error) {
        refuse(ids, turn, asProblem(error).body);
        sayProblem(error);
      }
    },
    [deploymentId, refresh, undo],
  );
  return { triage, undo };
}
