import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { asProblem } from '#web/api/problem.ts';
import { issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { say, sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { begin, forget, keep, refuse, withdraw } from './decided.ts';
import { type Decision, doneLabel, paramsOf } from './decision.ts';
import { isWorkflowLine } from './kinds.ts';
import { type Sent, sendInPortions } from './portions.ts';
import { lostOf, sendToWorkflows } from './workflows/triage.ts';

/** Decisions are sent one after the other, so that the last one that was made is the one that stays. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const next = queue.then(work);
  queue = next.catch(() => undefined);
  return next;
}

function send(deploymentId: string, ids: readonly string[], decision: Decision): Promise<Sent> {
  const params = paramsOf(decision);
  return sendInPortions(ids, (some) =>
    issues.bulkUpdateIssues({ path: { deploymentId }, body: { filter: { ids: some }, params } }),
  );
}

type Told = Pick<Sent, 'done' | 'changed' | 'requested' | 'failure'>;

/** Says what became of decisions, with a way back for those that changed something. */
function tell({ done, changed, requested, failure }: Told, decision: Decision, undo: () => Promise<void>) {
  if (failure !== undefined) sayProblem(failure);
  if (requested > 0)
    say(`${requested === 1 ? 'An administrator is' : 'Administrators are'} asked to approve ${requested}.`);
  const isMixed = requested > 0 && changed > 0;
  const words = isMixed ? `${changed} of ${doneLabel(done, decision)}` : doneLabel(done, decision);
  if (changed > 0) sayWithUndo(words, undo);
  else if (requested === 0 && done.length > 0) say(`${words}, as it was`);
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
    async (ids: readonly string[], areListsWrong: boolean) => {
      // Lists that are open show decisions already and stay as they are; the others ask anew when they are opened.
      const refetchType = areListsWrong ? 'active' : 'none';
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [deploymentId, 'counts'] }),
        queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'], refetchType }),
        queryClient.invalidateQueries({ queryKey: [deploymentId, 'workflow-issue'] }),
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
      await refresh(ids, true);
    },
    [deploymentId, refresh],
  );
  const triage = useCallback(
    async (ids: readonly string[], decision: Decision) => {
      if (ids.length === 0) return;
      const turn = begin(ids, decision);
      const ofWorkflows = ids.filter(isWorkflowLine);
      const own = ids.filter((id) => !isWorkflowLine(id));
      const sent = await inTurn(() => send(deploymentId, own, decision));
      const others = await inTurn(() => sendToWorkflows(deploymentId, ofWorkflows, decision));
      refuse(sent.rest, turn, asProblem(sent.failure).body);
      refuse(others.rest, turn, asProblem(others.failure).body);
      // Nobody says which of them were asked for, so that what is so is asked for anew.
      if (sent.requested > 0) withdraw(sent.done, turn);
      else keep(sent.done, turn);
      keep(others.done, turn);
      const done = [...sent.done, ...others.done];
      const { requested } = sent;
      const changed = sent.changed + others.changed;
      tell({ done, changed, requested, failure: sent.failure ?? others.failure }, decision, async () => {
        await inTurn(others.undo);
        await undo(sent.batches, done);
      });
      const lost = lostOf(decision);
      if (others.done.length > 0 && lost !== '') say(lost);
      if (done.length > 0) await refresh(done, requested > 0 && changed > 0);
    },
    [deploymentId, refresh, undo],
  );
  return { triage, undo };
}
