import { useMutation, useQueryClient } from '@tanstack/react-query';
import { automations } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { automationsQuery } from '#web/ui/automations/automation-queries.ts';

/** Deletes an automation and offers to restore it. */
export function useDeleteAutomation({ id, name }: { id: string; name: string }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const refetch = () => queryClient.invalidateQueries({ queryKey: automationsQuery(org.id).queryKey });
  return useMutation({
    mutationFn: () => automations.deleteAutomation({ path: { deploymentId: org.id, automationId: id } }),
    onSuccess: async () => {
      notifyWithUndo(`Deleted ${name}. It can be restored for 30 days.`, async () => {
        await automations.restoreAutomation({ path: { deploymentId: org.id, deletedAutomationId: id } });
        await refetch();
      });
      await refetch();
    },
    onError: notifyProblem,
  });
}
