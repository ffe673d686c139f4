import { Button, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ssoSettings } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { ifMatchHeader, type Versioned } from '../parts/etag.ts';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { GroupRules } from './group-rules.tsx';
import { type SignInSettings as Settings, signInSettingsQuery } from './queries.ts';

/** How sign-ins with a provider work: what to enter there, how its claims are read, and what its groups give. */
export function SignInSettings({ providerId }: { providerId: string }) {
  const { id: deploymentId } = useOrg();
  const settings = useQuery(signInSettingsQuery(deploymentId, providerId));
  return (
    <section className="sso-part" aria-labelledby="sso-sign-in">
      <h2 id="sso-sign-in">Sign-in</h2>
      {settings.isPending && <LoadingRows rows={3} />}
      {settings.isError && <ProblemView error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <SettingsForm key={settings.data.version} providerId={providerId} loaded={settings.data} />}
    </section>
  );
}

function SettingsForm({ providerId, loaded }: { providerId: string; loaded: Versioned<Settings> }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { redirectUri, backChannelLogoutUri, postLogoutRedirectUri, ...start } = loaded.answer;
  const [draft, setDraft] = useState(start);
  const path = { deploymentId, providerId };
  const saving = useMutation({
    mutationFn: () => ssoSettings.updateSsoSignIn({ path, body: draft, headers: ifMatchHeader(loaded.version) }),
    onSuccess: () => {
      notify('Sign-in saved');
      void queryClient.invalidateQueries(signInSettingsQuery(deploymentId, providerId));
    },
  });
  const errors = fieldErrorsOf(saving.error);
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className="settings-form sso-form" onSubmit={submit}>
      <FormProblem error={saving.error} />
      <dl className="sso-addresses">
        <dt>Redirect URI, to enter at the provider</dt>
        <dd>
          <CopyText text={redirectUri} label="redirect URI" />
        </dd>
        <dt>Back-channel logout URI</dt>
        <dd>
          <CopyText text={backChannelLogoutUri} label="back-channel logout URI" />
        </dd>
        <dt>Post-logout redirect URI</dt>
        <dd>
          <CopyText text={postLogoutRedirectUri} label="post-logout redirect URI" />
        </dd>
      </dl>
      <div className="settings-row">
        <TextInput
          label="Claim with the groups"
          description="For example groups, or realm_access.roles."
          value={draft.groupsClaim}
          error={errors['groupsClaim']}
          onChange={(event) => change({ groupsClaim: event.currentTarget.value })}
        />
        <TextInput
          label="Signature of ID tokens (optional)"
          description="Empty for RS256, or else the first that is announced."
          value={draft.idTokenAlg}
          error={errors['idTokenAlg']}
          onChange={(event) => change({ idTokenAlg: event.currentTarget.value.trim() })}
        />
      </div>
      <Switch
        label="This provider verifies every address"
        description="For providers that do not send email_verified, such as Microsoft Entra."
        checked={draft.trustsEmail}
        onChange={(event) => change({ trustsEmail: event.currentTarget.checked })}
      />
      <GroupRules providerId={providerId} rules={draft.groups} onChange={(groups) => change({ groups })} />
      <div className="settings-form-actions">
        <p className="dimmed">Saving ends the sessions that this provider opened.</p>
        <Button type="submit" loading={saving.isPending}>
          Save the sign-in
        </Button>
      </div>
    </form>
  );
}
