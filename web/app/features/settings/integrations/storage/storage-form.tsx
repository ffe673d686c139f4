import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { storageCredentials as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { storageQuery } from '#web/ui/automations/automation-queries.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../../parts/form-problem.tsx';

const FIELDS = [
  { name: 'name', label: 'Name', description: undefined, isRequired: true },
  { name: 'region', label: 'Region', description: 'Such as eu-central-1.', isRequired: true },
  {
    name: 'endpoint',
    label: 'Endpoint',
    description: 'Only for storage other than Amazon, such as https://storage.acme.example.',
    isRequired: false,
  },
  { name: 'accessKeyId', label: 'Access key id', description: 'It needs only s3:PutObject.', isRequired: true },
] as const;

/** Adds a credential for buckets. */
export function StorageForm({ onClose }: { onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [texts, setTexts] = useState({ name: '', region: '', endpoint: '', accessKeyId: '' });
  const [secret, setSecret] = useState('');
  const endpoint = texts.endpoint.trim();
  const body = {
    name: texts.name.trim(),
    region: texts.region.trim(),
    accessKeyId: texts.accessKeyId.trim(),
    ...(endpoint !== '' && { endpoint }),
  };
  const saving = useMutation({
    mutationFn: () =>
      service.createStorageCredential({ path: { deploymentId }, body: { ...body, secretAccessKey: secret.trim() } }),
    onSuccess: async () => {
      notify(`${body.name} added`);
      await queryClient.invalidateQueries({ queryKey: storageQuery(deploymentId).queryKey });
      onClose();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Add storage" size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={saving.error} />
        {FIELDS.map(({ name, label, description, isRequired }, index) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            required={isRequired}
            {...(index === 0 && { 'data-autofocus': true })}
            spellCheck={false}
            autoComplete="off"
            value={texts[name]}
            error={errors[name]}
            onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
        ))}
        <PasswordInput
          label="Secret access key"
          description="It is never shown again."
          required
          autoComplete="off"
          value={secret}
          error={errors['secretAccessKey']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <div className="settings-form-actions">
          <CopyAsMenu
            operationId="StorageCredentialsService_CreateStorageCredential"
            input={{ path: { deploymentId }, body: { ...body, secretAccessKey: '…' } }}
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
