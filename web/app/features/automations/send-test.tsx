import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Send } from 'lucide-react';
import { webhooks } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { StoredAutomation } from '#web/ui/automations/automation-queries.ts';
import type { AutomationNames } from '#web/ui/automations/describe-automation.ts';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';

interface SendTestProps {
  automation: StoredAutomation;
  names: AutomationNames;
}

/** Sends a test event to each webhook of an automation, on the way that real events take. */
export function SendTest({ automation, names }: SendTestProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const targets = [...new Set(automation.actions.flatMap(({ config }) => config['webhook_id'] ?? []))];
  const testing = useMutation({
    mutationFn: () =>
      Promise.all(
        targets.map(async (webhookId) => ({
          webhookId,
          ...(await webhooks.testNotificationWebhook({ path: { deploymentId, webhookId } as never, body: {} })),
        })),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
  });
  if (targets.length === 0) return null;
  return (
    <>
      <PermissionGate permission="credential:manage">
        {(isDisabled) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<Send size={14} />}
            disabled={isDisabled}
            loading={testing.isPending}
            onClick={() => testing.mutate()}
          >
            Send test
          </Button>
        )}
      </PermissionGate>
      <span role="status">
        {testing.data?.map(({ webhookId, success, errorDetail }) => (
          <span key={webhookId} className="automation-test" data-kind={success ? 'good' : 'bad'}>
            {success ? <CircleCheck size={16} aria-hidden="true" /> : <CircleX size={16} aria-hidden="true" />}{' '}
            {names.webhook(webhookId)}: {success ? 'received' : errorDetail}
          </span>
        ))}
      </span>
      {testing.isError && <ProblemView error={testing.error} />}
    </>
  );
}
