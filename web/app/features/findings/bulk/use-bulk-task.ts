import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { delay } from '#web/foundation/api/delay.ts';
import { issues } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { type Decision, decisionLabel, decisionParams } from '../model/decision.ts';
import { workflowFindingId } from '../model/finding-id.ts';
import type { BulkDecision, BulkPreview } from './bulk-preview.ts';
import { type BatchOutcome, type BatchProgress, watchBatch } from './watch-batch.ts';

const POLL_INTERVAL_MS = 500;

interface MatchingFindings {
  q: string;
  snapshot: string;
}

/** Previews a change of all matching findings while the dialog is open. */
export function useBulkDryRun({ q, snapshot }: MatchingFindings, bulk: BulkDecision | undefined) {
  const { id: deploymentId } = useOrg();
  return useQuery({
    queryKey: [deploymentId, 'bulk', q, snapshot, bulk?.decision],
    enabled: bulk !== undefined && bulk.ids === undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: async (): Promise<BulkPreview> => {
      const params = bulk ? decisionParams(bulk.decision) : {};
      const body = { q, snapshot, params, dryRun: true, includeWorkflows: true };
      const answer = await issues.startBulkUpdate({ path: { deploymentId }, body });
      const { count = 0, workflowCount = 0, elsewhereCount = 0, projects = [], worst = [] } = answer;
      return {
        ...{ count, workflows: workflowCount, elsewhere: elsewhereCount, projects },
        worst: worst.map(({ kind, issueId, title, severity }) => ({
          id: kind === 'FINDING_KIND_WORKFLOW_ISSUE' ? workflowFindingId(issueId) : issueId,
          title,
          severity,
        })),
      };
    },
  });
}

export interface BulkTaskProgress {
  done: number;
  total: number;
}

/** Module state, because the dialog may be closed and opened again while a task runs. */
let isTaskRunning = false;
/** Asks for the progress of the task whose outcome is unknown. */
let getLostProgress: (() => Promise<BatchProgress>) | undefined;

async function requireNoRunningTask(): Promise<void> {
  if (isTaskRunning || (await getLostProgress?.())?.state === 'RUNNING')
    throw new Error('Another bulk change is still running. Wait until it has finished.');
  getLostProgress = undefined;
}

/** The message after a bulk task; even an incomplete one can be undone. */
function outcomeMessage({ state, done, total }: BatchOutcome, decision: Decision): string {
  const label = decisionLabel(decision);
  const doneText = formatNumber(done);
  if (state === 'DONE') return `${doneText} findings: ${label}`;
  return state === 'FAILED'
    ? `The server stopped after ${doneText} of ${formatNumber(total)} findings: ${label}`
    : `Lost contact with the server after at least ${doneText} findings: ${label}`;
}

/** Changes all matching findings in a server task, shows its progress and offers to undo it. */
export function useBulkTask({ q, snapshot }: MatchingFindings) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [running, setRunning] = useState<BulkTaskProgress>();
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'] }),
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue'] }),
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'workflow-issue'] }),
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'counts'] }),
    ]);
  const run = async ({ decision }: BulkDecision) => {
    await requireNoRunningTask();
    isTaskRunning = true;
    setRunning({ done: 0, total: 0 });
    try {
      const path = { deploymentId };
      const body = { q, snapshot, params: decisionParams(decision), includeWorkflows: true };
      const { batchId = '' } = await issues.startBulkUpdate({ path, body });
      const getProgress = () => issues.getBatch({ path: { ...path, batchId } });
      const outcome = await watchBatch({
        getProgress,
        onProgress: ({ done, skipped, total }) => setRunning({ done: done + skipped, total }),
        pause: () => delay(POLL_INTERVAL_MS),
      });
      if (outcome.state === 'LOST') getLostProgress = getProgress;
      notifyWithUndo(outcomeMessage(outcome, decision), async () => {
        await issues.undoBatch({ path: { ...path, batchId }, body: {} });
        await refresh();
      });
    } finally {
      isTaskRunning = false;
      setRunning(undefined);
      await refresh();
    }
  };
  return { running, run };
}
