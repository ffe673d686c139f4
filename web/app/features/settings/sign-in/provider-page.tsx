import { Button, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sso } from '#web/foundation/api/services.ts';
import { SSO_TYPE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import {
  canSignIn,
  draftFromPreset,
  draftFromProvider,
  EMPTY_PROVIDER,
  findProviderPreset,
  hasOAuthClient,
  isSaml,
  PROVIDER_PRESETS,
  type ProviderDraft,
  providerBody,
} from './provider-draft.ts';
import { ClientFields, SamlFields } from './provider-fields.tsx';
import { type SsoProvider, ssoProvidersQuery } from './queries.ts';
import { SignInSettings } from './sign-in-settings.tsx';

/** Creates or edits an identity provider; a new one starts from a preset. */
export function ProviderPage({ item }: { item: string }) {
  const { id: deploymentId } = useOrg();
  const { search, update } = useSettingsSearch();
  const list = useQuery({ ...ssoProvidersQuery(deploymentId), refetchOnWindowFocus: false });
  const preset = findProviderPreset(search.preset);
  if (item === 'new')
    return (
      <Page title="Add a provider">
        <fieldset className="sso-presets settings-note">
          <legend className="visually-hidden">Provider</legend>
          {PROVIDER_PRESETS.map(({ id, name }) => (
            <Button
              key={id}
              variant={id === preset?.id ? 'filled' : 'default'}
              aria-pressed={id === preset?.id}
              onClick={() => update({ preset: id })}
            >
              {name}
            </Button>
          ))}
        </fieldset>
        {preset ? (
          <ProviderForm key={preset.id} start={draftFromPreset(preset)} help={preset} />
        ) : (
          <EmptyState title="Choose a provider" />
        )}
      </Page>
    );
  const entry = list.data?.find(({ id }) => id === item);
  return (
    <Page title={entry?.provider.displayName ?? 'Provider'}>
      {list.isPending && <LoadingRows />}
      {list.isError && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && !entry && <EmptyState title="This provider does not exist" why="It may have been deleted." />}
      {entry && <ProviderForm start={draftFromProvider(entry)} stored={entry} />}
      {entry && canSignIn(entry.provider) && <SignInSettings providerId={entry.id} isSaml={isSaml(entry.provider)} />}
    </Page>
  );
}

interface ProviderFormProps {
  start: ProviderDraft;
  stored?: SsoProvider;
  help?: { urlTemplate: string; valuesLocation: string };
}

function useSaving(draft: ProviderDraft, stored: SsoProvider | undefined) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { open } = useSettingsSearch();
  const body = providerBody(draft);
  return useMutation({
    mutationFn: async () => {
      if (!stored) return sso.createDeploymentSsoProvider({ path: { deploymentId }, body });
      // The list has no ETag, so compare the current provider with the loaded one.
      const { providers } = await sso.listDeploymentSsoProviders({ path: { deploymentId } });
      const now = providers.find(({ id }) => id === stored.id);
      if (JSON.stringify(now?.provider) !== JSON.stringify(stored.provider) || now?.enabled !== stored.enabled)
        throw new Error(
          'Someone else changed this provider in the meantime. Reload the page to see the current version.',
        );
      return sso.updateDeploymentSsoProvider({ path: { deploymentId, providerId: stored.id }, body });
    },
    onSuccess: ({ provider: { id, provider } }) => {
      notify(`Provider ${provider.displayName} saved`);
      void queryClient.invalidateQueries(ssoProvidersQuery(deploymentId));
      // A new provider next shows the addresses to enter there.
      open(stored || !canSignIn(provider) ? undefined : id);
    },
  });
}

function ProviderForm({ start = EMPTY_PROVIDER, stored, help }: ProviderFormProps) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [draft, setDraft] = useState(start);
  // A refetch may contain changes by others: compare against the version that the form was opened with.
  const [opened] = useState(stored);
  const saving = useSaving(draft, opened);
  const errors = fieldErrorsOf(saving.error);
  const change = (part: Partial<ProviderDraft>) => setDraft({ ...draft, ...part });
  const hasSecret = (stored?.provider.openidData.clientSecret ?? '') !== '';
  const fields = { draft, errors, onChange: change };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const { openidData, ...provider } = providerBody(draft).provider;
  const shown = { ...provider, ...(openidData ? { openidData: { ...openidData, clientSecret: '…' } } : {}) };
  return (
    <form className="settings-form sso-form" onSubmit={submit}>
      <FormProblem error={saving.error} />
      <p className="dimmed">
        {SSO_TYPE_LABELS[draft.type]}. {help && `Where to find the values: ${help.valuesLocation}`}
      </p>
      <div className="settings-row">
        <TextInput
          label="Name"
          description="Must be unique."
          required
          maxLength={128}
          value={draft.name}
          error={errors['name']}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Display name (optional)"
          description="On the sign-in page."
          maxLength={128}
          value={draft.displayName}
          error={errors['displayName']}
          onChange={(event) => change({ displayName: event.currentTarget.value })}
        />
      </div>
      <TextInput
        label="E-mail domain (optional)"
        description="People with an address in this domain belong to this provider."
        placeholder="example.com"
        value={draft.emailDomain}
        error={errors['emailDomain']}
        onChange={(event) => change({ emailDomain: event.currentTarget.value })}
      />
      {hasOAuthClient(draft) && <ClientFields {...fields} hasSecret={hasSecret} shape={help?.urlTemplate ?? ''} />}
      {isSaml(draft) && <SamlFields {...fields} />}
      <Switch
        label="Enabled"
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <div className="settings-form-actions">
        <CopyAsMenu
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
