import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { webhooks } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { StoredWebhook } from '#web/ui/automations/automation-queries.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

/** Sends a test event on the way that real events take, and shows what came of it. */
export function TestWebhook({ webhook: { id, name } }: { webhook: StoredWebhook }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const testing = useMutation({
    mutationFn: () => webhooks.testNotificationWebhook({ path: { deploymentId, webhookId: id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
    onError: notifyProblem,
  });
  return (
    <>
      <PermissionGate permission="credential:manage">
        {(isDisabled) => (
          <Button
            size="xs"
            variant="default"
            disabled={isDisabled}
            loading={testing.isPending}
            aria-label={`Test ${name}`}
            onClick={() => testing.mutate()}
          >
            Test
          </Button>
        )}
      </PermissionGate>
      <span role="status" className="integration-test">
        {testing.data && (
          <span className="settings-status" data-kind={testing.data.success ? 'good' : 'bad'}>
            {testing.data.success ? (
              <CircleCheck size={16} aria-hidden="true" />
            ) : (
              <CircleX size={16} aria-hidden="true" />
            )}
            {testing.data.success ? 'Received' : testing.data.errorDetail}
          </span>
        )}
      </span>
    </>
  );
}
