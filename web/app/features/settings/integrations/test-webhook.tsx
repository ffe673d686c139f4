import { useMutation, useQueryClient } from '@tanstack/react-query';
import { webhooks } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { StoredWebhook } from '#web/ui/automations/automation-queries.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { TestButton } from '../parts/test-button.tsx';

/** Sends a test event on the way that real events take, and shows what came of it. */
export function TestWebhook({ webhook: { id, name } }: { webhook: StoredWebhook }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const testing = useMutation({
    mutationFn: () => webhooks.testNotificationWebhook({ path: { deploymentId, webhookId: id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
    onError: notifyProblem,
  });
  const result = testing.data && { isGood: testing.data.success, error: testing.data.errorDetail };
  return <TestButton name={name} isBusy={testing.isPending} result={result} onClick={() => testing.mutate()} />;
}
