import { Button, NumberInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { webhooks } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type StoredWebhook, webhooksQuery } from '#web/ui/automations/automation-queries.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { SecretField } from './secret-field.tsx';

const DEFAULT_HOURS = 24;
const MAX_HOURS = 168;

interface RotateSecretProps {
  webhook: StoredWebhook;
  onClose: () => void;
}

/** Replaces the secret of a webhook. For some hours both sign, so that the receiver can be changed in between. */
export function RotateSecret({ webhook, onClose }: RotateSecretProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState('');
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const rotation = useMutation({
    mutationFn: (body: { webhookSecret?: string; overlapHours: number }) =>
      webhooks.rotateWebhookSecret({ path: { deploymentId, webhookId: webhook.id }, body }),
    onSuccess: async (_, { webhookSecret }) => {
      await queryClient.invalidateQueries(webhooksQuery(deploymentId));
      notify(webhookSecret === undefined ? 'Only the new secret signs now.' : `${webhook.name} has a new secret.`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotation.mutate({ webhookSecret: secret, overlapHours: hours });
  };
  return (
    <Dialog onClose={onClose} title={`Replace the secret of ${webhook.name}`} size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={rotation.error} />
        {webhook.previousSecretUntil !== undefined && (
          <div className="settings-note" data-kind="warn">
            <p>
              The previous secret signs too until <RelativeTime at={webhook.previousSecretUntil} />.
            </p>
            <Button
              variant="default"
              size="xs"
              loading={rotation.isPending}
              onClick={() => rotation.mutate({ overlapHours: 0 })}
            >
              End that now
            </Button>
          </div>
        )}
        <SecretField
          label="New secret"
          description="Copy it to the receiver. It is never shown again."
          isRequired
          value={secret}
          error={fieldErrorsOf(rotation.error)['webhookSecret']}
          onChange={setSecret}
        />
        <NumberInput
          label="Overlap in hours"
          description="So long both secrets sign: webhook-signature has both, X-Semgrep-Signature-256 the old one."
          min={0}
          max={MAX_HOURS}
          value={hours}
          onChange={(value) => setHours(Number(value))}
        />
        <div className="settings-form-actions">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rotation.isPending}>
            Replace
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
