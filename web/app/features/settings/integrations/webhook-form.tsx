import { Button, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { webhooks } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type StoredWebhook, webhooksQuery } from '#web/ui/automations/automation-queries.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { deliveriesKey } from '#web/ui/deliveries/delivery-queries.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { SecretField } from './secret-field.tsx';

interface WebhookFormProps {
  /** Absent for a new webhook. */
  stored?: StoredWebhook;
  onClose: () => void;
}

/** Adds or edits a webhook. */
export function WebhookForm({ stored, onClose }: WebhookFormProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [name, setName] = useState(stored?.name ?? '');
  const [url, setUrl] = useState(stored?.url ?? '');
  const [sendScanCompletion, setSendScans] = useState(stored?.sendScanCompletion ?? false);
  const [webhookSecret, setSecret] = useState('');
  const body = {
    ...{ name: name.trim(), url: url.trim(), sendScanCompletion },
    ...(webhookSecret === '' ? {} : { webhookSecret }),
  };
  const saving = useMutation({
    mutationFn: () =>
      stored
        ? webhooks.updateNotificationWebhook({ path: { deploymentId, webhookId: stored.id }, body })
        : webhooks.createNotificationWebhook({ path: { deploymentId }, body }),
    onSuccess: async () => {
      notify(`Webhook ${body.name} saved`);
      await Promise.all([
        queryClient.invalidateQueries(webhooksQuery(deploymentId)),
        queryClient.invalidateQueries({ queryKey: deliveriesKey(deploymentId) }),
      ]);
      onClose();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const losesSecret = stored?.hasSecret === true && stored.url !== body.url && webhookSecret === '';
  return (
    <Dialog onClose={onClose} title={stored ? `Edit ${stored.name}` : 'Add a webhook'} size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={saving.error} />
        <TextInput
          label="Name"
          required
          data-autofocus
          value={name}
          error={errors['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="URL"
          description="Gets a POST with JSON. Every answer but 200 to 299 within 15 seconds is a failure."
          required
          type="url"
          spellCheck={false}
          value={url}
          error={errors['url']}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <SecretField
          label={stored?.hasSecret ? 'Secret (stored)' : 'Secret (recommended)'}
          description={
            stored?.hasSecret
              ? 'Leave it empty to keep it. A new one replaces it at once; “Replace secret” has an overlap.'
              : 'Signs each request, so that the receiver can verify it. It is never shown again.'
          }
          value={webhookSecret}
          error={errors['webhookSecret']}
          onChange={setSecret}
        />
        {losesSecret && (
          <p className="settings-note" data-kind="warn">
            The stored secret is for the old URL and is removed. Enter a secret for the new one.
          </p>
        )}
        <Switch
          label="Send an event for every completed scan"
          checked={sendScanCompletion}
          onChange={(event) => setSendScans(event.currentTarget.checked)}
        />
        <div className="settings-form-actions">
          <CopyAsMenu
            operationId={`NotificationWebhooksService_${stored ? 'Update' : 'Create'}NotificationWebhook`}
            input={{
              path: { deploymentId, ...(stored && { webhookId: stored.id }) },
              body: { ...body, ...(webhookSecret !== '' && { webhookSecret: '…' }) },
            }}
          />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
