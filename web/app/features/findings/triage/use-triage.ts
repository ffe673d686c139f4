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

/** Decisions are sent one after the other, so that the last one wins. */
let queue: Promise<unknown> = Promise.resolve();

function enqueue<Reply>(work: () => Promise<Reply>): Promise<Reply> {
  const next = queue.then(work);
  queue = next.catch(() => undefined);
  return next;
}

function send(deploymentId: string, ids: readonly string[], decision: Decision): Promise<TriageOutcome> {
  const params = decisionParams(decision);
  return sendInChunks(ids, (chunk) =>
    issues.bulkUpdateIssues({ path: { deploymentId }, body: { filter: { ids: chunk }, params } }),
  );
}

type NotifiedOutcome = Pick<TriageOutcome, 'done' | 'changed' | 'requested' | 'failure'>;

/** Notifies of the outcome, with an undo if something changed. */
function notifyOutcome(
  { done, changed, requested, failure }: NotifiedOutcome,
  decision: Decision,
  undo: () => Promise<void>,
) {
  if (failure !== undefined) notifyProblem(failure);
  if (requested > 0) notify(`Approval requested for ${requested === 1 ? '1 finding' : `${requested} findings`}.`);
  const isMixed = requested > 0 && changed > 0;
  const summary = isMixed ? `${changed} of ${decisionSummary(done, decision)}` : decisionSummary(done, decision);
  if (changed > 0) notifyWithUndo(summary, undo);
  else if (requested === 0 && done.length > 0) notify(`${summary} (no change)`);
}

export interface TriageActions {
  /** Shows the decision at once and reverts it with the reason on failure. Never rejects. */
  triage: (ids: readonly string[], decision: Decision) => Promise<void>;
  /** Undoes batches of decisions, the last one first. */
  undo: (batchIds: readonly string[], ids: readonly string[]) => Promise<void>;
}

/** Triages findings optimistically, with notifications and undo. */
export function useTriage(): TriageActions {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const refresh = useCallback(
    async (ids: readonly string[], mustRefetchLists: boolean) => {
      // Visible lists already show the decisions and are not refetched; others are refetched when they are opened.
      const refetchType = mustRefetchLists ? 'active' : 'none';
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
        await enqueue(() => issues.undoBatch({ path: { deploymentId, batchId }, body: {} }));
      discardDecisions(ids);
      await refresh(ids, true);
    },
    [deploymentId, refresh],
  );
  const triage = useCallback(
    async (ids: readonly string[], decision: Decision) => {
      if (ids.length === 0) return;
      const revision = addPendingDecision(ids, decision);
      const workflowIds = ids.filter(isWorkflowFindingId);
      if (decision.state === undefined) discardDecisions(workflowIds);
      const issueIds = ids.filter((id) => !isWorkflowFindingId(id));
      const issueOutcome = await enqueue(() => send(deploymentId, issueIds, decision));
      const workflowOutcome = await enqueue(() => triageWorkflowIssues(deploymentId, workflowIds, decision));
      markRefused(issueOutcome.rest, revision, asProblem(issueOutcome.failure).body);
      markRefused(workflowOutcome.rest, revision, asProblem(workflowOutcome.failure).body);
      // The reply does not say which of them need approval, so their state is fetched again.
      if (issueOutcome.requested > 0) removePendingDecision(issueOutcome.done, revision);
      else markSaved(issueOutcome.done, revision);
      markSaved(workflowOutcome.done, revision);
      const done = [...issueOutcome.done, ...workflowOutcome.done];
      const { requested } = issueOutcome;
      const changed = issueOutcome.changed + workflowOutcome.changed;
      notifyOutcome(
        { done, changed, requested, failure: issueOutcome.failure ?? workflowOutcome.failure },
        decision,
        async () => {
          await enqueue(workflowOutcome.undo);
          await undo(issueOutcome.batches, done);
        },
      );
      const unsupported = unsupportedFieldsText(decision);
      if (workflowIds.length > 0 && unsupported !== '') notify(unsupported);
      if (done.length > 0) await refresh(done, requested > 0 && changed > 0);
    },
    [deploymentId, refresh, undo],
  );
  return { triage, undo };
}
