import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  type ActivityOfAutomation,
  activityQuery,
  automationsQuery,
  type StoredAutomation,
} from '#web/ui/automations/automation-queries.ts';
import { describeAutomation } from '#web/ui/automations/describe-automation.ts';
import { ModeControl } from '#web/ui/automations/mode-control.tsx';
import { useAutomationNames } from '#web/ui/automations/use-automation-names.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { DeliveryDrawer } from '#web/ui/deliveries/delivery-drawer.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { AutomationActivityLine } from './automation-activity.tsx';
import { AutomationDrawer } from './editor/automation-drawer.tsx';
import './editor/automations.css';
import { DeliveriesTab, HeldTab } from './deliveries-tabs.tsx';
import { draftFromAutomation } from './editor/automation-draft.ts';
import { HistoryTab } from './history-tab.tsx';
import { RunExisting } from './run-existing.tsx';
import { RunsTab } from './runs-tab.tsx';
import type { AUTOMATION_TABS } from './search.ts';
import { SendTest } from './send-test.tsx';
import { TryOnFinding } from './try-on-finding.tsx';

const route = getRouteApi('/o/$slug/automations/$automationId');

type TabName = (typeof AUTOMATION_TABS)[number];
const TABS: Record<TabName, { label: string; permission: string }> = {
  runs: { label: 'Runs', permission: 'automation:read' },
  deliveries: { label: 'Deliveries', permission: 'delivery:read' },
  held: { label: 'Held', permission: 'delivery:read' },
  history: { label: 'History', permission: 'audit:read' },
};

/** One automation: its sentence and mode, what it would match now, and what it did. */
export function AutomationPage() {
  const org = useOrg();
  const { automationId } = route.useParams();
  const list = useQuery(automationsQuery(org.id));
  const activity = useQuery(activityQuery(org.id)).data?.activities.find((one) => one.automationId === automationId);
  const automation = list.data?.find(({ id }) => id === automationId);
  if (automation) return <AutomationView automation={automation} activity={activity} />;
  return (
    <Page title="Automation">
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <EmptyState
          title="There is no such automation"
          why="It may have been deleted."
          action={
            <Link to="/o/$slug/automations" params={{ slug: org.slug }}>
              All automations
            </Link>
          }
        />
      )}
      {!list.data && !list.error && <LoadingRows />}
    </Page>
  );
}

interface AutomationViewProps {
  automation: StoredAutomation;
  activity: ActivityOfAutomation | undefined;
}

function AutomationView({ automation, activity }: AutomationViewProps) {
  const org = useOrg();
  const names = useAutomationNames([automation]);
  const { edit, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (part: { edit?: true; delivery?: string }) =>
    void navigate({ search: ({ edit: _, delivery: __, ...view }) => ({ ...view, ...part }), resetScroll: false });
  const { name, description, updatedAt, updatedBy } = automation;
  return (
    <Page
      title={name}
      aside={
        <Link to="/o/$slug/automations" params={{ slug: org.slug }}>
          All automations
        </Link>
      }
      actions={
        <>
          <CopyAsMenu
            operationId="AutomationRunsService_ListAutomationRuns"
            input={{ path: { deploymentId: org.id, automationId: automation.id } }}
          />
          <PermissionGate permission="automation:manage">
            {(isDisabled) => (
              <Button
                variant="default"
                leftSection={<Pencil size={16} />}
                disabled={isDisabled}
                onClick={() => show({ edit: true })}
              >
                Edit
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <div className="automation-head">
        <p className="automation-sentence">{describeAutomation(automation, names)}</p>
        {description !== '' && <p className="dimmed">{description}</p>}
        {activity ? (
          <>
            <AutomationActivityLine activity={activity} />
            <div className="automation-tools">
              <ModeControl automation={automation} mode={activity.mode} />
              <RunExisting automation={automation} mode={activity.mode} />
              <SendTest automation={automation} names={names} />
            </div>
          </>
        ) : (
          <LoadingRows rows={2} />
        )}
        <TryOnFinding automation={automation} names={names} />
        <p className="dimmed">
          Changed <RelativeTime at={updatedAt} />
          {updatedBy !== '' && ` by ${updatedBy}`}.
        </p>
      </div>
      <AutomationTabs automation={automation} onDelivery={(id) => show({ delivery: id })} />
      {edit && org.may('automation:manage') && (
        <AutomationDrawer
          draft={draftFromAutomation(automation)}
          automationId={automation.id}
          onClose={() => show({})}
        />
      )}
      {delivery !== undefined && org.may('delivery:read') && (
        <DeliveryDrawer deliveryId={delivery} onClose={() => show({})} />
      )}
    </Page>
  );
}

interface AutomationTabsProps {
  automation: StoredAutomation;
  onDelivery: (deliveryId: string) => void;
}

function AutomationTabs({ automation, onDelivery }: AutomationTabsProps) {
  const org = useOrg();
  const { tab = 'runs', state, days, run } = route.useSearch();
  const navigate = route.useNavigate();
  const names = Object.keys(TABS) as TabName[];
  const { permission } = TABS[tab];
  return (
    <Tabs
      value={tab}
      onChange={(next) =>
        void navigate({ search: next === 'runs' ? {} : { tab: next as TabName }, resetScroll: false })
      }
      keepMounted={false}
    >
      <TabList open={tab}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {TABS[name].label}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value={tab}>
        {!org.may(permission) && (
          <EmptyState
            title="You do not have access to this list"
            why={`It requires the permission ${permission}. Ask an administrator of ${org.name}.`}
          />
        )}
        {org.may(permission) && tab === 'runs' && <RunsTab automationId={automation.id} />}
        {org.may(permission) && tab === 'deliveries' && (
          <DeliveriesTab
            filter={{ automationId: automation.id, runId: run, state, days: days === '7' ? 7 : undefined }}
            onFilter={(next) =>
              void navigate({
                search: {
                  tab,
                  ...(run !== undefined && { run }),
                  ...(next.state !== undefined && { state: next.state }),
                  ...(next.days !== undefined && { days: '7' }),
                },
                resetScroll: false,
              })
            }
            onAllRuns={() => void navigate({ search: { tab }, resetScroll: false })}
            onOpen={onDelivery}
          />
        )}
        {org.may(permission) && tab === 'held' && <HeldTab automationId={automation.id} onOpen={onDelivery} />}
        {org.may(permission) && tab === 'history' && <HistoryTab automationId={automation.id} />}
      </Tabs.Panel>
    </Tabs>
  );
}
