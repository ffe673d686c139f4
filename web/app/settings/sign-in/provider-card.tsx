import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleCheck, CircleSlash, X } from 'lucide-react';
import { useState } from 'react';
import { sso } from '#web/api/services.ts';
import { SSO_TYPE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { Confirm } from '#web/parts/confirm.tsx';
import { ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { checksOf } from './checks.ts';
import { hasClient, isSaml } from './draft.ts';
import { providersQuery, type SsoEntry } from './sso-data.ts';

/** A provider at a glance: what it is, for whom, and whether it would work. */
export function ProviderCard({ entry }: { entry: SsoEntry }) {
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
        {hasClient(provider) && (
          <>
            <dt>Secret</dt>
            <dd>{provider.openidData.clientSecret === '' ? 'none' : 'stored, never shown again'}</dd>
          </>
        )}
      </dl>
      <Allowed permission="sso:manage">
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
      </Allowed>
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
      {checksOf(isOfSaml, result).map(({ text, outcome, advice }) => (
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

function DeleteProvider({ entry, onClose }: { entry: SsoEntry; onClose: () => void }) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { displayName } = entry.provider;
  const remove = async () => {
    await sso.deleteDeploymentSsoProvider({ path: { deploymentId, providerId: entry.id } });
    say(`Provider ${displayName} deleted`);
    void queryClient.invalidateQueries(providersQuery(deploymentId));
  };
  return (
    <Confirm title={`Delete ${displayName}?`} deed="Delete" onConfirm={remove} onClose={onClose}>
      Its links to {entry.userCount} accounts and its secret go with it; the accounts stay.
    </Confirm>
  );
}
