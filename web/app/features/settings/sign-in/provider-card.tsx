import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleCheck, CircleSlash, X } from 'lucide-react';
import { useState } from 'react';
import { sso, ssoSettings } from '#web/foundation/api/services.ts';
import { SSO_TYPE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { providerChecks } from './provider-checks.ts';
import { canSignIn, hasOAuthClient, isSaml } from './provider-draft.ts';
import { type SsoProvider, ssoProvidersQuery } from './queries.ts';

/** A summary of an identity provider with its actions and test result. */
export function ProviderCard({ entry }: { entry: SsoProvider }) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [isConfirming, setIsConfirming] = useState(false);
  const { provider, enabled, userCount } = entry;
  const testing = useMutation({
    mutationFn: () => sso.testDeploymentSsoProvider({ path: { deploymentId, providerId: entry.id } }),
  });
  const signingIn = useMutation({
    mutationFn: (link: boolean) =>
      ssoSettings.startSsoTest({ path: { deploymentId, providerId: entry.id }, body: { link } }),
    onSuccess: ({ redirectUrl }) => location.assign(redirectUrl),
  });
  return (
    <article className="sso-card" aria-label={provider.displayName}>
      <h2>{provider.displayName}</h2>
      <dl>
        <dt>State</dt>
        <dd>
          <span className="settings-status" data-kind={enabled ? 'good' : undefined}>
            {enabled ? <CircleCheck size={16} aria-hidden="true" /> : <CircleSlash size={16} aria-hidden="true" />}
            {enabled ? 'enabled' : 'disabled'}
          </span>
        </dd>
        <dt>Type</dt>
        <dd>{SSO_TYPE_LABELS[provider.type] ?? provider.type}</dd>
        <dt>Domain</dt>
        <dd>{provider.emailDomain || 'any verified domain'}</dd>
        <dt>People</dt>
        <dd>{userCount}</dd>
        {hasOAuthClient(provider) && (
          <>
            <dt>Secret</dt>
            <dd>{provider.openidData.clientSecret === '' ? 'none' : 'stored, never shown again'}</dd>
          </>
        )}
      </dl>
      <PermissionGate permission="sso:manage">
        {(isDisabled) => (
          <div className="sso-presets">
            <Button
              variant="default"
              disabled={isDisabled}
              loading={testing.isPending}
              onClick={() => testing.mutate()}
            >
              Test
            </Button>
            {canSignIn(provider) && (
              <>
                <Button
                  variant="default"
                  disabled={isDisabled}
                  loading={signingIn.isPending}
                  onClick={() => signingIn.mutate(false)}
                >
                  Test sign-in
                </Button>
                <Button variant="default" disabled={isDisabled} onClick={() => signingIn.mutate(true)}>
                  Link my account
                </Button>
              </>
            )}
            <Button variant="default" disabled={isDisabled} onClick={() => open(entry.id)}>
              Edit
            </Button>
            <Button variant="default" disabled={isDisabled} onClick={() => setIsConfirming(true)}>
              Delete
            </Button>
          </div>
        )}
      </PermissionGate>
      <div role="status">{testing.data && <Checks isSamlProvider={isSaml(provider)} result={testing.data} />}</div>
      {testing.isError && <ProblemView error={testing.error} />}
      {signingIn.isError && <ProblemView error={signingIn.error} />}
      {isConfirming && <DeleteProvider entry={entry} onClose={() => setIsConfirming(false)} />}
    </article>
  );
}

const OUTCOME_KINDS = { passed: 'good', failed: 'bad', 'not reached': undefined } as const;

function Checks({ isSamlProvider, result }: { isSamlProvider: boolean; result: { valid: boolean; error: string } }) {
  return (
    <ul className="sso-checks" aria-label="Test results">
      {providerChecks(isSamlProvider, result).map(({ text, outcome, advice }) => (
        <li key={text}>
          <span className="settings-status" data-kind={OUTCOME_KINDS[outcome]}>
            {outcome === 'passed' && <Check size={16} role="img" aria-label="passed:" />}
            {outcome === 'failed' && <X size={16} role="img" aria-label="failed:" />}
            {outcome === 'not reached' && <span>·</span>}
          </span>
          <span className={outcome === 'not reached' ? 'dimmed' : undefined}>
            {text} {outcome === 'not reached' && '(not reached)'} {advice !== '' && <strong>{advice}</strong>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function DeleteProvider({ entry, onClose }: { entry: SsoProvider; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { displayName } = entry.provider;
  const remove = async () => {
    await sso.deleteDeploymentSsoProvider({ path: { deploymentId, providerId: entry.id } });
    notify(`Provider ${displayName} deleted`);
    void queryClient.invalidateQueries(ssoProvidersQuery(deploymentId));
  };
  return (
    <ConfirmDialog title={`Delete ${displayName}?`} actionLabel="Delete" onConfirm={remove} onClose={onClose}>
      Its secret and its links to {entry.userCount} accounts are deleted; the accounts stay.
    </ConfirmDialog>
  );
}
