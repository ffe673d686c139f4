import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keylessCi } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { type CiTrust, trustsQuery } from './queries.ts';
import { bodyOf, draftOfPreset, draftOfTrust, PROVIDERS, type TrustDraft } from './trust-draft.ts';

const LIFETIMES = ['5', '15', '30', '60'];
const ALGORITHMS: readonly TrustDraft['algorithm'][] = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

const TEXTS = [
  { name: 'name', label: 'Name', description: undefined },
  {
    name: 'issuer',
    label: 'Issuer',
    description: 'The address that the tokens of jobs name as their issuer; this server reads its public keys there.',
  },
  { name: 'audience', label: 'Audience', description: 'Jobs must request their tokens for exactly this audience.' },
] as const;

/** Adds or changes a trust in a CI issuer. */
export function TrustForm({ trust, onClose }: { trust?: CiTrust | undefined; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() =>
    trust ? draftOfTrust(trust) : draftOfPreset('GITHUB_ACTIONS', location.origin),
  );
  const change = (part: Partial<TrustDraft>) => setDraft({ ...draft, ...part });
  const body = bodyOf(draft);
  const saving = useMutation({
    mutationFn: () =>
      trust
        ? keylessCi.updateCiTrust({ path: { deploymentId, ciTrustId: trust.id }, body })
        : keylessCi.createCiTrust({ path: { deploymentId }, body }),
    onSuccess: async () => {
      notify(`${body.name} saved`);
      await queryClient.invalidateQueries({ queryKey: trustsQuery(deploymentId).queryKey });
      onClose();
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog onClose={onClose} title={trust ? `Change ${trust.name}` : 'Trust a CI issuer'} size="lg">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={saving.error} />
        <NativeSelect
          label="CI service"
          data-autofocus
          value={draft.provider}
          data={Object.entries(PROVIDERS).map(([value, { label }]) => ({ value, label }))}
          onChange={(event) =>
            setDraft(draftOfPreset(event.currentTarget.value as TrustDraft['provider'], draft.audience))
          }
        />
        {TEXTS.map(({ name, label, description }) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            required
            spellCheck={false}
            value={draft[name]}
            error={errors[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        ))}
        <Textarea
          label="Conditions"
          description="One claim on each line, with its accepted values. A * at the end accepts what begins like it."
          required
          autosize
          minRows={3}
          spellCheck={false}
          value={draft.conditions}
          onChange={(event) => change({ conditions: event.currentTarget.value })}
        />
        <TextInput
          label="Project"
          description="The only project that the job can report to, from claims in braces. Empty for all projects."
          spellCheck={false}
          value={draft.project}
          error={errors['project']}
          onChange={(event) => change({ project: event.currentTarget.value })}
        />
        <div className="settings-row">
          <NativeSelect
            label="Scanner tokens end after"
            value={draft.minutes}
            data={LIFETIMES.map((value) => ({ value, label: `${value} minutes` }))}
            onChange={(event) => change({ minutes: event.currentTarget.value })}
          />
          <NativeSelect
            label="Signed with"
            value={draft.algorithm}
            data={[...ALGORITHMS]}
            onChange={(event) => change({ algorithm: event.currentTarget.value as TrustDraft['algorithm'] })}
          />
        </div>
        <Switch
          label="Accept tokens of this issuer"
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <div className="settings-form-actions">
          <CopyAsMenu operationId="KeylessCiService_CreateCiTrust" input={{ path: { deploymentId }, body }} />
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
