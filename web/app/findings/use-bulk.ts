import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import type { Bulk, Preview } from './bulk.ts';
import { decisionLabel, paramsOf } from './decision.ts';

const ASK_MS = 500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Matching {
  q: string;
  snapshot: string;
}

/** What changing all that match would touch; asked for while the dialog is open. */
export function useDryRun({ q, snapshot }: Matching, bulk: Bulk | undefined) {
  const { id: deploymentId } = useOrg();
  return useQuery({
    queryKey: [deploymentId, 'bulk', q, snapshot, bulk?.decision],
    enabled: bulk !== undefined && bulk.ids === undefined,
    staleTime: 0,
    gcTime: 0,
    queryFn: async (): Promise<Preview> => {
      const params = bulk ? paramsOf(bulk.decision) : {};
      const body = { q, snapshot, params, dryRun: true };
      const { count = 0, projects = [], worst = [] } = await issues.startBulkUpdate({ path: { deploymentId }, body });
      return {
        count,
        projects,
        worst: worst.map(({ issueId, title, severity }) => ({ id: issueId, title, severity })),
      };
    },
  });
}

export interface Running {
  done: number;
  total: number;
}

/** Changes all that match, as a task of the server whose progress is shown and which can be undone. */
export function useBulkTask({ q, snapshot }: Matching) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [running, setRunning] = useState<Running>();
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'] }),
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue'] }),
      queryClient.invalidateQueries({ queryKey: [deploymentId, 'counts'] }),
    ]);
  const run = async ({ decision }: Bulk) => {
    setRunning({ done: 0, total: 0 });
    try {
      const path = { deploymentId };
      const body = { q, snapshot, params: paramsOf(decision) };
      const { batchId = '' } = await issues.startBulkUpdate({ path, body });
      for (;;) {
        const { state, done, skipped, total } = await issues.getBatch({ path: { ...path, batchId } });
        setRunning({ done: done + skipped, total });
        if (state === 'FAILED') throw new Error(`The server stopped after ${done} of ${total}. Undo or try again.`);
        if (state === 'DONE') {
          const words = `${done.toLocaleString('en')} findings: ${decisionLabel(decision)}`;
          sayWithUndo(words, async () => {
            await issues.undoBatch({ path: { ...path, batchId }, body: {} });
            await refresh();
          });
          return;
        }
        await pause(ASK_MS);
      }
    } finally {
      setRunning(undefined);
      await refresh();
    }
  };
  return { running, run };
}
