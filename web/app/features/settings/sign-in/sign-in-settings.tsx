import { Button, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Fragment, useState } from 'react';
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
export function SignInSettings({ providerId, isSaml }: { providerId: string; isSaml: boolean }) {
  const { id: deploymentId } = useOrg();
  const settings = useQuery(signInSettingsQuery(deploymentId, providerId));
  return (
    <section className="sso-part" aria-labelledby="sso-sign-in">
      <h2 id="sso-sign-in">Sign-in</h2>
      {settings.isPending && <LoadingRows rows={3} />}
      {settings.isError && <ProblemView error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <SettingsForm key={settings.data.version} {...{ providerId, isSaml }} loaded={settings.data} />}
    </section>
  );
}

interface SettingsFormProps {
  providerId: string;
  isSaml: boolean;
  loaded: Versioned<Settings>;
}

function SettingsForm({ providerId, isSaml, loaded }: SettingsFormProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { redirectUri, backChannelLogoutUri, postLogoutRedirectUri, ...rest } = loaded.answer;
  const { samlEntityId, samlAcsUrl, samlMetadataUrl, ...start } = rest;
  const addresses: [name: string, text: string][] = isSaml
    ? [
        ['Metadata URL, to import at the provider', samlMetadataUrl],
        ['Entity ID (audience)', samlEntityId],
        ['Assertion consumer service (reply URL)', samlAcsUrl],
      ]
    : [
        ['Redirect URI, to enter at the provider', redirectUri],
        ['Back-channel logout URI', backChannelLogoutUri],
        ['Post-logout redirect URI', postLogoutRedirectUri],
      ];
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
        {addresses.map(([name, text]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <CopyText text={text} label={name} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <div className="settings-row">
        <TextInput
          label="Claim with the groups"
          description="For example groups, or realm_access.roles."
          value={draft.groupsClaim}
          error={errors['groupsClaim']}
          onChange={(event) => change({ groupsClaim: event.currentTarget.value })}
        />
        {isSaml ? (
          <TextInput
            label="Attribute with the address (optional)"
            description="Empty for the usual names, or the NameID."
            value={draft.emailClaim}
            error={errors['emailClaim']}
            onChange={(event) => change({ emailClaim: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            label="Signature of ID tokens (optional)"
            description="Empty for RS256, or else the first that is announced."
            value={draft.idTokenAlg}
            error={errors['idTokenAlg']}
            onChange={(event) => change({ idTokenAlg: event.currentTarget.value.trim() })}
          />
        )}
      </div>
      <Switch
        label="This provider verifies every address"
        description="For SAML, and for providers that do not send email_verified, such as Microsoft Entra."
        checked={draft.trustsEmail}
        onChange={(event) => change({ trustsEmail: event.currentTarget.checked })}
      />
      {isSaml && <SamlSettings draft={draft} errors={errors} onChange={change} />}
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

interface SamlSettingsProps {
  draft: Pick<Settings, 'secondCertificate' | 'allowsIdpInitiated'>;
  errors: Record<string, string>;
  onChange: (part: Partial<Pick<Settings, 'secondCertificate' | 'allowsIdpInitiated'>>) => void;
}

function SamlSettings({ draft, errors, onChange }: SamlSettingsProps) {
  return (
    <>
      <Textarea
        label="Second certificate (optional)"
        description="The next certificate of a provider that rolls over: both are accepted."
        rows={4}
        spellCheck={false}
        value={draft.secondCertificate}
        error={errors['secondCertificate']}
        onChange={(event) => onChange({ secondCertificate: event.currentTarget.value.trim() })}
      />
      <Switch
        label="The provider may begin sign-ins"
        description="Off is safer: others could sign somebody in to an account that is not theirs."
        checked={draft.allowsIdpInitiated}
        onChange={(event) => onChange({ allowsIdpInitiated: event.currentTarget.checked })}
      />
    </>
  );
}
