import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTriage } from '#web/features/findings/triage/use-triage.ts';
import { issues } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';

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
      if (batchId !== undefined) notifyWithUndo(`ISS-${issueId}: note kept`, () => undo([batchId], [issueId]));
      void queryClient.invalidateQueries({ queryKey: [deploymentId, 'issue', issueId] });
      return true;
    } catch (error) {
      notifyProblem(error);
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { send, isBusy };
}
