import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleCheck, CircleSlash, X } from 'lucide-react';
import { useState } from 'react';
import { sso } from '#web/foundation/api/services.ts';
import { SSO_TYPE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { providerChecks } from './provider-checks.ts';
import { hasOAuthClient, isSaml } from './provider-draft.ts';
import { type SsoProvider, ssoProvidersQuery } from './queries.ts';

/** A provider at a glance: what it is, for whom, and whether it would work. */
export function ProviderCard({ entry }: { entry: SsoProvider }) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [isAsking, setIsAsking] = useState(false);
  const { provider, enabled, userCount } = entry;
  const testing = useMutation({
    mutationFn: () => sso.testDeploymentSsoProvider({ path: { deploymentId, providerId: entry.id } }),
  });
  return (
    <article className="sso-card" aria-label={provider.displayName}>
      <h2>{provider.displayName}</h2>
      <dl>
        <dt>State</dt>
        <dd>
          <span className="settings-word" data-kind={enabled ? 'good' : undefined}>
            {enabled ? <CircleCheck size={16} aria-hidden="true" /> : <CircleSlash size={16} aria-hidden="true" />}
            {enabled ? 'switched on' : 'switched off'}
          </span>
        </dd>
        <dt>Kind</dt>
        <dd>{SSO_TYPE_LABELS[provider.type] ?? provider.type}</dd>
        <dt>Domain</dt>
        <dd>{provider.emailDomain || 'any'}</dd>
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
            <Button variant="default" disabled={isDisabled} onClick={() => open(entry.id)}>
              Edit
            </Button>
            <Button variant="default" disabled={isDisabled} onClick={() => setIsAsking(true)}>
              Delete
            </Button>
          </div>
        )}
      </PermissionGate>
      <div role="status">{testing.data && <Checks isOfSaml={isSaml(provider)} result={testing.data} />}</div>
      {testing.isError && <ProblemView error={testing.error} />}
      {isAsking && <DeleteProvider entry={entry} onClose={() => setIsAsking(false)} />}
    </article>
  );
}

const KINDS = { passed: 'good', failed: 'bad', 'not reached': undefined } as const;

function Checks({ isOfSaml, result }: { isOfSaml: boolean; result: { valid: boolean; error: string } }) {
  return (
    <ul className="sso-checks" aria-label="What was tested">
      {providerChecks(isOfSaml, result).map(({ text, outcome, advice }) => (
        <li key={text}>
          <span className="settings-word" data-kind={KINDS[outcome]}>
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
    <ConfirmDialog title={`Delete ${displayName}?`} deed="Delete" onConfirm={remove} onClose={onClose}>
      Its links to {entry.userCount} accounts and its secret go with it; the accounts stay.
    </ConfirmDialog>
  );
}
