import { Button, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sso } from '#web/api/services.ts';
import { SSO_TYPE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { bodyOf, type Draft, draftFor, draftOf, EMPTY, hasClient, isSaml, PRESETS, presetOf } from './draft.ts';
import { ClientFields, SamlFields } from './provider-fields.tsx';
import { providersQuery, type SsoEntry } from './sso-data.ts';

/** The form of one provider: a new one starts with a preset. */
export function ProviderPage({ item }: { item: string }) {
  const { id: deploymentId } = useOrg();
  const { search, put } = useSettingsSearch();
  const list = useQuery({ ...providersQuery(deploymentId), refetchOnWindowFocus: false });
  const preset = presetOf(search.preset);
  if (item === 'new')
    return (
      <Page title="Add a provider">
        <fieldset className="sso-presets settings-note">
          <legend className="visually-hidden">Provider</legend>
          {PRESETS.map(({ id, name }) => (
            <Button
              key={id}
              variant={id === preset?.id ? 'filled' : 'default'}
              aria-pressed={id === preset?.id}
              onClick={() => put({ preset: id })}
            >
              {name}
            </Button>
          ))}
        </fieldset>
        {preset ? (
          <ProviderForm key={preset.id} start={draftFor(preset)} help={preset} />
        ) : (
          <Empty title="Choose a provider" />
        )}
      </Page>
    );
  const entry = list.data?.find(({ id }) => id === item);
  return (
    <Page title={entry?.provider.displayName ?? 'Provider'}>
      {list.isPending && <LoadingRows />}
      {list.isError && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && !entry && <Empty title="There is no such provider" why="Perhaps somebody deleted it." />}
      {entry && <ProviderForm start={draftOf(entry)} stored={entry} />}
    </Page>
  );
}

interface ProviderFormProps {
  start: Draft;
  stored?: SsoEntry;
  help?: { shape: string; where: string };
}

function useSaving(draft: Draft, stored: SsoEntry | undefined) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { open } = useSettingsSearch();
  const body = bodyOf(draft);
  return useMutation({
    mutationFn: async () => {
      if (!stored) return sso.createDeploymentSsoProvider({ path: { deploymentId }, body });
      // Providers are listed without a version, so what is there is held against what was loaded.
      const { providers } = await sso.listDeploymentSsoProviders({ path: { deploymentId } });
      const now = providers.find(({ id }) => id === stored.id);
      if (JSON.stringify(now?.provider) !== JSON.stringify(stored.provider) || now?.enabled !== stored.enabled)
        throw new Error('Somebody else changed this provider meanwhile. Reload the page to see what it is now.');
      return sso.updateDeploymentSsoProvider({ path: { deploymentId, providerId: stored.id }, body });
    },
    onSuccess: ({ provider: { provider } }) => {
      say(`Provider ${provider.displayName} saved`);
      void queryClient.invalidateQueries(providersQuery(deploymentId));
      open(undefined);
    },
  });
}

function ProviderForm({ start = EMPTY, stored, help }: ProviderFormProps) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [draft, setDraft] = useState(start);
  // A later answer is what somebody else did: the form stands by what it was opened with.
  const [opened] = useState(stored);
  const saving = useSaving(draft, opened);
  const errors = fieldErrorsOf(saving.error);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const hasSecret = (stored?.provider.openidData.clientSecret ?? '') !== '';
  const fields = { draft, errors, onChange: change };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const { openidData, ...provider } = bodyOf(draft).provider;
  const shown = { ...provider, ...(openidData ? { openidData: { ...openidData, clientSecret: '…' } } : {}) };
  return (
    <form className="settings-form sso-form" onSubmit={submit}>
      <FormProblem error={saving.error} />
      <p className="dimmed">
        {SSO_TYPE_LABELS[draft.type]}. {help && `Where the values are: ${help.where}`}
      </p>
      <div className="settings-row">
        <TextInput
          label="Name"
          description="Unique among the providers."
          required
          maxLength={128}
          value={draft.name}
          error={errors['name']}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Shown as (optional)"
          description="On the sign-in page."
          maxLength={128}
          value={draft.displayName}
          error={errors['displayName']}
          onChange={(event) => change({ displayName: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label="E-mail domain (optional)"
        description="People with such an address belong to this provider."
        placeholder="example.com"
        value={draft.emailDomain}
        error={errors['emailDomain']}
        onChange={(event) => change({ emailDomain: event.currentTarget.value })}
      />
      {hasClient(draft) && <ClientFields {...fields} hasSecret={hasSecret} shape={help?.shape ?? ''} />}
      {isSaml(draft) && <SamlFields {...fields} />}
      <Switch
        label="Switched on"
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <div className="settings-ends">
        <CopyAs
          operationId={`DeploymentSsoProvidersService_${stored ? 'Update' : 'Create'}DeploymentSsoProvider`}
          input={{
            path: { deploymentId, ...(stored ? { providerId: stored.id } : {}) },
            body: { enabled: draft.enabled, provider: shown },
          }}
        />
        <Button variant="default" onClick={() => open(undefined)}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
