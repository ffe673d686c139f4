import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { issues } from '#web/api/services.ts';
import { useTriage } from '#web/findings/triage.ts';
import { useOrg } from '#web/org/org.ts';
import { sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';

interface Note {
  /** Says whether it was kept. */
  send: (text: string) => Promise<boolean>;
  isBusy: boolean;
}

/** Keeps a note beside a finding, with a way back. */
export function useNote(issueId: string): Note {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { undo } = useTriage();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (note: string) => {
    setIsBusy(true);
    try {
      const { batchId } = await issues.bulkUpdateIssues({
        path: { deploymentId },
        body: { filter: { ids: [issueId] }, params: { note } },
      });
      if (batchId !== undefined) sayWithUndo(`ISS-${issueId}: note kept`, () => undo([batchId], [issueId]));
      void queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue', issueId] });
      return true;
    } catch (error) {
      sayProblem(error);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { send, isBusy };
}
