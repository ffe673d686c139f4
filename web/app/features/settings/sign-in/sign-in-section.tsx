import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { Attempts } from './attempts.tsx';
import { Domains } from './domains.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProviderPage } from './provider-page.tsx';
import './sign-in.css';
import { ssoProvidersQuery } from './queries.ts';

/** The identity providers of the organization, or the one in the URL. */
export function SignInSection() {
  const { item } = useSettingsSearch();
  const canManage = useOrg().may('sso:manage');
  return item === undefined || !canManage ? <ProviderList /> : <ProviderPage key={item} item={item} />;
}

function ProviderList() {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const add = (
    <PermissionGate permission="sso:manage">
      {(isDisabled) => (
        <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => open('new')}>
          Add a provider
        </Button>
      )}
    </PermissionGate>
  );
  return (
    <Page
      title="Sign-in"
      actions={
        <>
          <CopyAsMenu
            operationId="DeploymentSsoProvidersService_ListDeploymentSsoProviders"
            input={{ path: { deploymentId } }}
          />
          {add}
        </>
      }
    >
      <p className="settings-note">
        People can sign in with these identity providers, once the domain of their e-mail address is verified.
      </p>
      <Cards />
      <Domains />
      <Attempts />
    </Page>
  );
}

function Cards() {
  const { id: deploymentId } = useOrg();
  const list = useQuery(ssoProvidersQuery(deploymentId));
  if (list.isPending) return <LoadingRows rows={3} height={120} />;
  if (list.isError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.length === 0)
    return <EmptyState title="No identity provider yet" why="Add the identity provider of your organization." />;
  return (
    <ul className="sso-cards">
      {list.data.map((entry) => (
        <li key={entry.id}>
          <ProviderCard entry={entry} />
        </li>
      ))}
    </ul>
  );
}
