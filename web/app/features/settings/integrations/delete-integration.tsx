import { useQueryClient } from '@tanstack/react-query';
import { ticketing, webhooks } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import type { Integration } from './use-integrations.ts';

interface DeleteIntegrationProps {
  integration: Integration;
  onClose: () => void;
}

/** Deletes a webhook or disconnects a tracker, after naming what depends on it. */
export function DeleteIntegration({ integration, onClose }: DeleteIntegrationProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { destination, tracker, dependents } = integration;
  const remove = async () => {
    if (tracker)
      await ticketing.deleteTicketingInstance({ path: { deploymentId, ticketingInstanceId: tracker.id } as never });
    else await webhooks.deleteNotificationWebhook({ path: { deploymentId, webhookId: destination.id } as never });
    notify(`${destination.name} ${tracker ? 'disconnected' : 'deleted'}`);
    await queryClient.invalidateQueries({ queryKey: [deploymentId] });
  };
  const waiting = destination.waiting + destination.held;
  return (
    <ConfirmDialog
      title={`${tracker ? 'Disconnect' : 'Delete'} ${destination.name}?`}
      actionLabel={tracker ? 'Disconnect' : 'Delete'}
      onConfirm={remove}
      onClose={onClose}
    >
      {dependents.length > 0 && <p>These automations are paused: {dependents.map(({ name }) => name).join(', ')}.</p>}
      {waiting > 0 && <p>{waiting} deliveries that wait for it or are held are cancelled.</p>}
      <p>
        {tracker
          ? 'The token and our records of its tickets are deleted; the tickets themselves stay.'
          : 'Its secret is deleted. The log of deliveries stays.'}
      </p>
    </ConfirmDialog>
  );
}
