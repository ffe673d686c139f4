import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { issues } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { type Decision, decisionParams, decisionSummary } from '../model/decision.ts';
import { isWorkflowFindingId } from '../model/finding-id.ts';
import {
  addPendingDecision,
  discardDecisions,
  markRefused,
  markSaved,
  removePendingDecision,
} from '../model/pending-decisions.ts';
import { sendInChunks, type TriageOutcome } from './send-in-chunks.ts';
import { triageWorkflowIssues, unsupportedFieldsText } from './triage-workflow-issues.ts';

/** Decisions are sent one after the other, so that the last one that was made is the one that stays. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const next = queue.then(work);
  queue = next.catch(() => undefined);
  return next;
}

function send(deploymentId: string, ids: readonly string[], decision: Decision): Promise<TriageOutcome> {
  const params = decisionParams(decision);
  return sendInChunks(ids, (some) =>
    issues.bulkUpdateIssues({ path: { deploymentId }, body: { filter: { ids: some }, params } }),
  );
}

type Told = Pick<TriageOutcome, 'done' | 'changed' | 'requested' | 'failure'>;

/** Says what became of decisions, with a way back for those that changed something. */
function tell({ done, changed, requested, failure }: Told, decision: Decision, undo: () => Promise<void>) {
  if (failure !== undefined) notifyProblem(failure);
  if (requested > 0)
    notify(`${requested === 1 ? 'An administrator is' : 'Administrators are'} asked to approve ${requested}.`);
  const isMixed = requested > 0 && changed > 0;
  const words = isMixed ? `${changed} of ${decisionSummary(done, decision)}` : decisionSummary(done, decision);
  if (changed > 0) notifyWithUndo(words, undo);
  else if (requested === 0 && done.length > 0) notify(`${words}, as it was`);
}

export interface TriageActions {
  /** Shown at once; on failure the findings return to what they were, with the reason. Never rejects. */
  triage: (ids: readonly string[], decision: Decision) => Promise<void>;
  /** Takes batches of decisions back, the last first. */
  undo: (batchIds: readonly string[], ids: readonly string[]) => Promise<void>;
}

/** Decides about findings: optimistic, announced, and with a way back. */
export function useTriage(): TriageActions {
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
      discardDecisions(ids);
      await refresh(ids, true);
    },
    [deploymentId, refresh],
  );
  const triage = useCallback(
    async (ids: readonly string[], decision: Decision) => {
      if (ids.length === 0) return;
      const turn = addPendingDecision(ids, decision);
      const ofWorkflows = ids.filter(isWorkflowFindingId);
      const own = ids.filter((id) => !isWorkflowFindingId(id));
      const sent = await inTurn(() => send(deploymentId, own, decision));
      const others = await inTurn(() => triageWorkflowIssues(deploymentId, ofWorkflows, decision));
      markRefused(sent.rest, turn, asProblem(sent.failure).body);
      markRefused(others.rest, turn, asProblem(others.failure).body);
      // Nobody says which of them were asked for, so that what is so is asked for anew.
      if (sent.requested > 0) removePendingDecision(sent.done, turn);
      else markSaved(sent.done, turn);
      markSaved(others.done, turn);
      const done = [...sent.done, ...others.done];
      const { requested } = sent;
      const changed = sent.changed + others.changed;
      tell({ done, changed, requested, failure: sent.failure ?? others.failure }, decision, async () => {
        await inTurn(others.undo);
        await undo(sent.batches, done);
      });
      const lost = unsupportedFieldsText(decision);
      if (others.done.length > 0 && lost !== '') notify(lost);
      if (done.length > 0) await refresh(done, requested > 0 && changed > 0);
    },
    [deploymentId, refresh, undo],
  );
  return { triage, undo };
}
