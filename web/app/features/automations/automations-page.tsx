import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '#web/foundation/api/session.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { useAutomationNames } from '#web/ui/automations/use-automation-names.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { AutomationRow } from './automation-row.tsx';
import { AutomationDrawer } from './editor/automation-drawer.tsx';
import './editor/automations.css';
import { activityQuery, automationsQuery, type StoredAutomation } from '#web/ui/automations/automation-queries.ts';
import { type AutomationDraft, defaultDraft, draftFromAutomation, suggestedDraft } from './editor/automation-draft.ts';

const route = getRouteApi('/o/$slug/automations');

const EMPTY_REASON =
  'An automation acts when conditions about findings become true, for example by sending them to a webhook. ' +
  'Findings that exist already start nothing.';

/** The list of automations, each described in one sentence. */
export function AutomationsPage() {
  const org = useOrg();
  const { at } = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/automations' });
  const list = useQuery(automationsQuery(org.id));
  const canManage = org.may('automation:manage');
  const [suggested, setSuggested] = useState<AutomationDraft>();
  const open = (id: string | undefined) => void navigate({ search: id === undefined ? {} : { at: id } });
  const chosen = list.data?.find(({ id }) => id === at);
  const start = (draft?: AutomationDraft) => {
    setSuggested(draft);
    open('new');
  };
  return (
    <Page
      title="Automations"
      actions={
        <>
          <CopyAsMenu operationId="AutomationsService_ListAutomations" input={{ path: { deploymentId: org.id } }} />
          <PermissionGate permission="automation:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => start()}>
                New automation
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.data ? (
        <AutomationList automations={list.data} onOpen={open} onSuggested={start} />
      ) : (
        !list.error && <LoadingRows rows={3} height={88} />
      )}
      {at === 'new' && canManage && (
        <AutomationDrawer key="new" draft={suggested ?? defaultDraft()} onClose={() => open(undefined)} />
      )}
      {chosen && canManage && (
        <AutomationDrawer
          key={chosen.id}
          draft={draftFromAutomation(chosen)}
          automationId={chosen.id}
          onClose={() => open(undefined)}
        />
      )}
      {at !== undefined && !canManage && (
        <p role="status">Changing automations requires the permission automation:manage. Ask an administrator.</p>
      )}
      {list.data && at !== undefined && at !== 'new' && !chosen && (
        <p role="status">There is no automation with the id {at}; it may have been deleted.</p>
      )}
    </Page>
  );
}

interface AutomationListProps {
  automations: readonly StoredAutomation[];
  onOpen: (id: string) => void;
  onSuggested: (draft: AutomationDraft) => void;
}

function AutomationList({ automations, onOpen, onSuggested }: AutomationListProps) {
  const org = useOrg();
  const session = useSession();
  const activities = useQuery(activityQuery(org.id)).data?.activities;
  const names = useAutomationNames(automations);
  if (automations.length === 0)
    return (
      <EmptyState
        title="No automations yet"
        why={EMPTY_REASON}
        action={
          <PermissionGate permission="automation:manage">
            {(isDisabled) => (
              <Button
                disabled={isDisabled}
                onClick={() => onSuggested(suggestedDraft(session.kind === 'signed-in' ? session.user.email : ''))}
              >
                Create this automation
              </Button>
            )}
          </PermissionGate>
        }
      />
    );
  return (
    <ul className="automation-list">
      {automations.map((automation) => (
        <AutomationRow
          key={automation.id}
          automation={automation}
          activity={activities?.find(({ automationId }) => automationId === automation.id)}
          names={names}
          onOpen={() => onOpen(automation.id)}
        />
      ))}
    </ul>
  );
}
