import { useMutation, useQueryClient } from '@tanstack/react-query';
import { slack } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { SlackChannel } from '#web/ui/automations/automation-queries.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { TestButton } from '../../parts/test-button.tsx';

/** Posts a test message to a channel. */
export function TestChannel({ channel: { id, channel_name: name } }: { channel: SlackChannel }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const testing = useMutation({
    mutationFn: () => slack.testSlackChannelMapping({ path: { deploymentId, mappingId: id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
    onError: notifyProblem,
  });
  const result = testing.data && { isGood: testing.data.success, error: testing.data.error_detail };
  return <TestButton name={`#${name}`} isBusy={testing.isPending} result={result} onClick={() => testing.mutate()} />;
}
