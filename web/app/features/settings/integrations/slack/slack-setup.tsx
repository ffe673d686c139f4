import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { slack } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { FormProblem, fieldErrorsOf } from '../../parts/form-problem.tsx';
import { slackKey } from './slack-queries.ts';
import { useInstallSlack } from './use-install-slack.ts';
import './slack.css';

interface SlackSetupProps {
  app: { client_id: string; has_client_secret: boolean; redirect_url: string; manifest: string };
  onClose: () => void;
}

/** Sets the Slack app of the organization in three steps, and goes to Slack to install it. */
export function SlackSetup({ app, onClose }: SlackSetupProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [clientId, setClientId] = useState(app.client_id);
  const [clientSecret, setClientSecret] = useState('');
  const installing = useInstallSlack();
  const saving = useMutation({
    mutationFn: () =>
      slack.setSlackApp({
        path: { deploymentId },
        body: { client_id: clientId.trim(), client_secret: clientSecret.trim() },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: slackKey(deploymentId) });
      installing.mutate();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Connect Slack" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={saving.error ?? installing.error} />
        {!app.redirect_url.startsWith('https://') && (
          <p className="settings-note" data-kind="warn">
            Slack may refuse the address {app.redirect_url}, because it has no https. The operator of this server sets
            it.
          </p>
        )}
        <ol className="slack-steps">
          <li>
            <p>Copy this manifest.</p>
            <CodeBlock text={app.manifest} label="manifest" />
          </li>
          <li>
            <p>
              Open <SafeLink href="https://api.slack.com/apps?new_app=1">the apps of Slack</SafeLink>, choose “From a
              manifest”, pick your workspace and paste the manifest as JSON.
            </p>
          </li>
          <li>
            <p>Copy both values from “Basic Information” of the new app.</p>
            <div className="settings-form">
              <TextInput
                label="Client id"
                required
                autoComplete="off"
                spellCheck={false}
                value={clientId}
                error={errors['client_id']}
                onChange={(event) => setClientId(event.currentTarget.value)}
              />
              <PasswordInput
                label="Client secret"
                description={
                  app.has_client_secret
                    ? 'One is stored; enter it again to change the app.'
                    : 'It is never shown again.'
                }
                required
                autoComplete="off"
                value={clientSecret}
                error={errors['client_secret']}
                visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the client secret' }}
                onChange={(event) => setClientSecret(event.currentTarget.value)}
              />
            </div>
          </li>
        </ol>
        <div className="settings-form-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending || installing.isPending}>
            Save and install
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
