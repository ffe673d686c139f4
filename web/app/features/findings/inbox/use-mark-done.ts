import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { inbox } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { addDone, removeDone, withoutDone } from './done-ids.ts';
import { type ReviewPage, reviewQuery } from './queries.ts';

/** Removes a finding from the person's inbox at once, with undo; the finding itself does not change. */
export function useMarkDone(): (issueId: string) => void {
  const { id: deployment } = useOrg();
  const queryClient = useQueryClient();
  const { queryKey } = reviewQuery(deployment);
  const refresh = (isListStale: boolean) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [deployment, 'counts'] }),
      isListStale && queryClient.invalidateQueries({ queryKey }),
    ]);
  const send = async (issueId: string) => {
    const input = { path: { deployment }, body: { issueIds: [issueId] } };
    try {
      await inbox.markDone(input);
      notifyWithUndo(`ISS-${issueId}: done`, async () => {
        await inbox.markUndone(input);
        removeDone(issueId);
        await refresh(true);
      });
      await refresh(false);
    } catch (error) {
      removeDone(issueId);
      notifyProblem(error);
      await refresh(true);
    }
  };
  return (issueId) => {
    addDone(issueId);
    queryClient.setQueryData<InfiniteData<ReviewPage, string>>(queryKey, (before) => before && withoutDone(before));
    void send(issueId);
  };
}
