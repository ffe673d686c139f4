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

const ASK_MS = 500;

interface Matching {
  q: string;
  snapshot: string;
}

/** What changing all that match would touch; asked for while the dialog is open. */
export function useBulkDryRun({ q, snapshot }: Matching, bulk: BulkDecision | undefined) {
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

/** It is known beyond the dialog, which somebody may leave and open again meanwhile. */
let isOneRunning = false;
/** Asks how the change goes of which nothing more was heard. */
let askLost: (() => Promise<BatchProgress>) | undefined;

async function mustBeAlone(): Promise<void> {
  if (isOneRunning || (await askLost?.())?.state === 'RUNNING')
    throw new Error('A change of many is still being made. Wait until it is done.');
  askLost = undefined;
}

/** What became of a change, also of one that did not come to its end: what it did can be undone. */
function endWords({ state, done, total }: BatchOutcome, decision: Decision): string {
  const label = decisionLabel(decision);
  const [some, all] = [formatNumber(done), formatNumber(total)];
  if (state === 'DONE') return `${some} findings: ${label}`;
  return state === 'FAILED'
    ? `The server stopped after ${some} of ${all} findings: ${label}`
    : `The server no longer says how far it is, at least ${some} findings: ${label}`;
}

/** Changes all that match, as a task of the server whose progress is shown and which can be undone. */
export function useBulkTask({ q, snapshot }: Matching) {
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
    await mustBeAlone();
    isOneRunning = true;
    setRunning({ done: 0, total: 0 });
    try {
      const path = { deploymentId };
      const body = { q, snapshot, params: decisionParams(decision), includeWorkflows: true };
      const { batchId = '' } = await issues.startBulkUpdate({ path, body });
      const ask = () => issues.getBatch({ path: { ...path, batchId } });
      const ended = await watchBatch({
        ask,
        onProgress: ({ done, skipped, total }) => setRunning({ done: done + skipped, total }),
        pause: () => delay(ASK_MS),
      });
      if (ended.state === 'LOST') askLost = ask;
      notifyWithUndo(endWords(ended, decision), async () => {
        await issues.undoBatch({ path: { ...path, batchId }, body: {} });
        await refresh();
      });
    } finally {
      isOneRunning = false;
      setRunning(undefined);
      await refresh();
    }
  };
  return { running, run };
}
