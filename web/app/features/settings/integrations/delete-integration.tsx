import { useQueryClient } from '@tanstack/react-query';
import { slack, ticketing, webhooks } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { removalWord } from './integration-card.tsx';
import type { Integration } from './use-integrations.ts';

interface DeleteIntegrationProps {
  integration: Integration;
  onClose: () => void;
}

/** Deletes a webhook, disconnects a tracker or removes a Slack channel, after naming what depends on it. */
export function DeleteIntegration({ integration, onClose }: DeleteIntegrationProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { destination, tracker, channel, dependents } = integration;
  const word = removalWord(integration);
  const remove = async () => {
    if (tracker)
      await ticketing.deleteTicketingInstance({ path: { deploymentId, ticketingInstanceId: tracker.id } as never });
    else if (channel) await slack.deleteSlackChannelMapping({ path: { deploymentId, mappingId: channel.id } });
    else await webhooks.deleteNotificationWebhook({ path: { deploymentId, webhookId: destination.id } as never });
    notify(`${destination.name} ${word.toLowerCase()}${word.endsWith('e') ? 'd' : 'ed'}`);
    await queryClient.invalidateQueries({ queryKey: [deploymentId] });
  };
  const waiting = destination.waiting + destination.held;
  return (
    <ConfirmDialog title={`${word} ${destination.name}?`} actionLabel={word} onConfirm={remove} onClose={onClose}>
      {dependents.length > 0 && <p>These automations are paused: {dependents.map(({ name }) => name).join(', ')}.</p>}
      {waiting > 0 && <p>{waiting} deliveries that wait for it or are held are cancelled.</p>}
      <p>{consequence(integration)}</p>
    </ConfirmDialog>
  );
}

function consequence({ tracker, channel }: Integration): string {
  if (tracker) return 'The token and our records of its tickets are deleted; the tickets themselves stay.';
  if (channel) return 'Messages in the channel and the log of deliveries stay.';
  return 'Its secret is deleted. The log of deliveries stays.';
}
