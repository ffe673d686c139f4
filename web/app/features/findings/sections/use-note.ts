import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { issues } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { useTriage } from '../triage/use-triage.ts';

interface NoteActions {
  /** Resolves to whether the note was saved. */
  send: (text: string) => Promise<boolean>;
  isBusy: boolean;
}

/** Saves the note of a finding, with undo. */
export function useNote(issueId: string): NoteActions {
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
      if (batchId !== undefined) notifyWithUndo(`ISS-${issueId}: note saved`, () => undo([batchId], [issueId]));
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
