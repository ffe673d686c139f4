import { useQueryClient } from '@tanstack/react-query';
import { slack } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';

export type Disconnected = Awaited<ReturnType<typeof slack.deleteSlackInstallation>>;

interface DisconnectSlackProps {
  teamName: string;
  onDone: (result: Disconnected) => void;
  onClose: () => void;
}

/** Removes the installation with its channels. */
export function DisconnectSlack({ teamName, onDone, onClose }: DisconnectSlackProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const disconnect = async () => {
    onDone(await slack.deleteSlackInstallation({ path: { deploymentId } }));
    await queryClient.invalidateQueries({ queryKey: [deploymentId] });
  };
  return (
    <ConfirmDialog
      title={`Disconnect Slack from ${teamName}?`}
      actionLabel="Disconnect"
      onConfirm={disconnect}
      onClose={onClose}
    >
      The token is revoked and all channels are removed. Automations that post to them are paused; what waits is
      cancelled.
    </ConfirmDialog>
  );
}

/** What came of it. */
export function DisconnectedNote({ result }: { result: Disconnected }) {
  const { team_name: team, is_token_revoked: isRevoked, paused_automations: paused } = result;
  return (
    <p className="settings-note" data-kind={isRevoked ? 'good' : 'warn'} role="status">
      Slack is disconnected from {team}.
      {!isRevoked && ' Slack could not be reached to revoke the token: remove the app in Slack too.'}
      {paused.length > 0 && ` Paused automations: ${paused.map(({ name }) => name).join(', ')}.`}
    </p>
  );
}
