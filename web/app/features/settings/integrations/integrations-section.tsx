import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { DeleteIntegration } from './delete-integration.tsx';
import { IntegrationCard } from './integration-card.tsx';
import { IntegrationPage } from './integration-page.tsx';
import './integrations.css';
import { SlackPart } from './slack/slack-part.tsx';
import { StoragePart } from './storage/storage-part.tsx';
import { TrackerForm } from './tracker-form.tsx';
import { type Integration, useIntegrations } from './use-integrations.ts';
import { WebhookForm } from './webhook-form.tsx';

/** The receivers of what automations send: webhooks, trackers and Slack channels. */
export function IntegrationsSection() {
  const { item } = useSettingsSearch();
  const { integrations, error, refetch } = useIntegrations();
  const open = integrations?.find(({ destination }) => destination.id === item);
  if (open) return <IntegrationPage integration={open} />;
  const isGone = item !== undefined && integrations !== undefined;
  return (
    <IntegrationsPage>
      {error && <ProblemView error={error} onRetry={refetch} />}
      {!integrations && !error && <LoadingRows rows={3} height={160} />}
      {isGone && <p role="status">There is no integration with the id {item}; it may have been deleted.</p>}
      {integrations && <Cards integrations={integrations} />}
    </IntegrationsPage>
  );
}

function IntegrationsPage({ children }: { children: React.ReactNode }) {
  const org = useOrg();
  const { search, update } = useSettingsSearch();
  const close = () => update({ preset: undefined }, true);
  const canManage = org.may('credential:manage');
  return (
    <Page
      title="Integrations"
      actions={
        <>
          <CopyAsMenu operationId="DeliveriesService_ListDestinations" input={{ path: { deploymentId: org.id } }} />
          {[
            ['webhook', 'Add a webhook'],
            ['tracker', 'Connect a tracker'],
          ].map(([preset, label]) => (
            <PermissionGate key={preset} permission="credential:manage">
              {(isDisabled) => (
                <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => update({ preset })}>
                  {label}
                </Button>
              )}
            </PermissionGate>
          ))}
        </>
      }
    >
      <SlackPart />
      {children}
      <StoragePart />
      {search.preset === 'webhook' && canManage && <WebhookForm onClose={close} />}
      {search.preset === 'tracker' && canManage && <TrackerForm onClose={close} />}
    </Page>
  );
}

function Cards({ integrations }: { integrations: readonly Integration[] }) {
  const [editing, setEditing] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  const idOf = ({ destination }: Integration) => destination.id;
  const edited = integrations.find((one) => idOf(one) === editing);
  const deleted = integrations.find((one) => idOf(one) === deleting);
  if (integrations.length === 0)
    return (
      <EmptyState
        title="No webhooks, trackers or channels yet"
        why="A webhook gets findings as signed JSON; a tracker gets a ticket for each rule and project."
      />
    );
  return (
    <>
      <ul className="integrations">
        {integrations.map((integration) => (
          <IntegrationCard
            key={idOf(integration)}
            integration={integration}
            onEdit={() => setEditing(idOf(integration))}
            onDelete={() => setDeleting(idOf(integration))}
          />
        ))}
      </ul>
      {edited?.webhook && <WebhookForm stored={edited.webhook} onClose={() => setEditing(undefined)} />}
      {edited?.tracker && <TrackerForm stored={edited.tracker} onClose={() => setEditing(undefined)} />}
      {deleted && <DeleteIntegration integration={deleted} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
