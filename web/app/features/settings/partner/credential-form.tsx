import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { partner } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { ifMatchHeader, isVersionConflict, readWithVersion } from '../parts/etag.ts';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { type PartnerCredential, partnerCredentialsQuery } from './queries.ts';
import { TestCredential } from './test-credential.tsx';

interface CredentialFormProps {
  /** Absent for a new credential. */
  credentialId?: string;
  onClose: () => void;
}

/** Edits a partner credential; the secret is never shown again after saving. */
export function CredentialForm({ credentialId, onClose }: CredentialFormProps) {
  const { id: deploymentId } = useOrg();
  const loaded = useQuery({
    queryKey: [deploymentId, 'settings', 'partner-one', credentialId],
    enabled: credentialId !== undefined,
    queryFn: ({ signal }) =>
      readWithVersion(
        (options) => partner.getPartnerCredential({ path: { deploymentId, id: credentialId ?? '' } }, options),
        signal,
      ),
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  return (
    <Dialog onClose={onClose} title={credentialId === undefined ? 'Add a credential' : 'Edit a credential'} size="lg">
      {credentialId === undefined && <Fields onClose={onClose} />}
      {credentialId !== undefined && loaded.isPending && <LoadingRows rows={4} />}
      {loaded.isError && <ProblemView error={loaded.error} onRetry={() => void loaded.refetch()} />}
      {loaded.isSuccess && (
        <Fields
          key={loaded.data.version}
          stored={loaded.data.answer.partnerCredential}
          version={loaded.data.version}
          onReload={() => void loaded.refetch()}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface FieldsProps {
  stored?: PartnerCredential;
  version?: string;
  onReload?: () => void;
  onClose: () => void;
}

function Fields({ stored, version = '', onReload, onClose }: FieldsProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [{ clientId, apiUrl, tokenUrl }, setTexts] = useState({ clientId: '', apiUrl: '', tokenUrl: '', ...stored });
  const [clientSecret, setSecret] = useState('');
  const texts = { clientId: clientId.trim(), apiUrl: apiUrl.trim(), tokenUrl: tokenUrl.trim() };
  const secret = clientSecret === '' ? {} : { clientSecret };
  const saving = useMutation({
    mutationFn: () => {
      const path = { deploymentId };
      if (!stored) return partner.createPartnerCredential({ path, body: { ...texts, clientSecret } });
      const body = { ...texts, ...secret };
      return partner.updatePartnerCredential({
        path: { ...path, id: stored.id },
        body,
        headers: ifMatchHeader(version),
      });
    },
    onSuccess: () => {
      notify(`Credential ${texts.clientId} saved`);
      void queryClient.invalidateQueries(partnerCredentialsQuery(deploymentId));
      onClose();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const text = (member: keyof typeof texts, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      required
      spellCheck={false}
      value={{ clientId, apiUrl, tokenUrl }[member]}
      error={errors[member]}
      onChange={(event) => setTexts({ clientId, apiUrl, tokenUrl, [member]: event.currentTarget.value })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className="settings-form" onSubmit={submit}>
      <FormProblem error={saving.error} />
      {isVersionConflict(saving.error) && (
        <Button variant="default" onClick={onReload}>
          Load the current version
        </Button>
      )}
      {text('clientId', 'Client id', 'From the vendor.')}
      <PasswordInput
        label={stored ? 'Client secret (stored)' : 'Client secret'}
        description={
          stored ? 'Leave empty to keep it. Enter it again if you change the client id or URLs.' : 'Never shown again.'
        }
        required={!stored}
        autoComplete="off"
        value={clientSecret}
        error={errors['clientSecret']}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
        onChange={(event) => setSecret(event.currentTarget.value)}
      />
      {text('apiUrl', 'API URL', 'The API endpoint of the vendor.')}
      {text('tokenUrl', 'Token URL', 'The OAuth token endpoint of the vendor.')}
      <TestCredential input={{ ...(stored ? { id: stored.id } : {}), ...texts, ...secret }} />
      <div className="settings-form-actions">
        <CopyAsMenu
          operationId={`PartnerCredentialService_${stored ? 'Update' : 'Create'}PartnerCredential`}
          input={{ path: { deploymentId, id: stored?.id }, body: { ...texts, clientSecret: '…' } }}
        />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
