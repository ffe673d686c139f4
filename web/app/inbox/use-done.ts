import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { inbox } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { addDone, removeDone, withoutDone } from './done-ids.ts';
import { type ReviewPage, reviewQuery } from './queries.ts';

/** Takes a finding out of the person's own list at once, with a way back; the finding itself stays what it is. */
export function useDone(): (issueId: string) => void {
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
      sayWithUndo(`ISS-${issueId}: done`, async () => {
        await inbox.markUndone(input);
        removeDone(issueId);
        await refresh(true);
      });
      await refresh(false);
    } catch (error) {
      removeDone(issueId);
      sayProblem(error);
      await refresh(true);
    }
  };
  return (issueId) => {
    addDone(issueId);
    queryClient.setQueryData<InfiniteData<ReviewPage, string>>(queryKey, (before) => before && withoutDone(before));
    void send(issueId);
  };
}
