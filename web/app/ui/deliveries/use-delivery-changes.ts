import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deliveries } from '#web/foundation/api/services.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { deliveriesKey } from './delivery-queries.ts';

const CHANGES = {
  replay: { done: 'sent again', call: deliveries.replayDeliveries },
  release: { done: 'released', call: deliveries.releaseDeliveries },
  dismiss: { done: 'dismissed', call: deliveries.dismissDeliveries },
} as const;

export type DeliveryChange = keyof typeof CHANGES;

/** Sends deliveries again, releases held ones or dismisses them; says how many really changed. */
export function useDeliveryChanges() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ change, ids }: { change: DeliveryChange; ids: readonly string[] }) =>
      CHANGES[change].call({ path: { deploymentId }, body: { deliveryIds: [...ids] } }),
    onSuccess: async ({ deliveryIds: changed }, { change, ids }) => {
      const { done } = CHANGES[change];
      notify(
        changed.length === ids.length
          ? `${changed.length === 1 ? 'The delivery is' : `${changed.length} deliveries are`} ${done}.`
          : `${changed.length} of ${ids.length} deliveries are ${done}; the others have changed meanwhile.`,
      );
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
        queryClient.invalidateQueries({ queryKey: [deploymentId, 'automations', 'activity'] }),
      ]);
    },
    onError: notifyProblem,
  });
}
