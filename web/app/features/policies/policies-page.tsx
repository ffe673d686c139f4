import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { LoadingRows } from '#web/ui/page/view-states.tsx';
import { BoardsPage } from './boards-page.tsx';
import { migrationQuery } from './queries.ts';
import { DetectionTab } from './unified/detection-tab.tsx';
import { RemediationTab } from './unified/remediation-tab.tsx';

const route = getRouteApi('/o/$slug/policies');

const TABS = { detection: 'Detection', remediation: 'Remediation', boards: 'Ruleboards (old)' } as const;
type TabName = keyof typeof TABS;
const OPERATIONS = { detection: 'GetDetectionPolicySummary', remediation: 'GetRemediationPolicies' } as const;

/** The policies: ruleboards, or after the migration detection and remediation policies. */
export function PoliciesPage() {
  const org = useOrg();
  const isMigrated = useQuery(migrationQuery(org.id)).data;
  const { tab = 'detection' } = route.useSearch();
  const navigate = route.useNavigate();
  if (isMigrated === undefined)
    return (
      <Page title="Policies">
        <LoadingRows rows={4} height={48} />
      </Page>
    );
  if (!isMigrated) return <BoardsPage />;
  const tabs = (
    <Tabs
      value={tab}
      onChange={(next) => void navigate({ search: next === 'detection' ? {} : { tab: next as TabName } })}
    >
      <TabList open={tab}>
        {(Object.keys(TABS) as TabName[]).map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {TABS[name]}
          </Tabs.Tab>
        ))}
      </TabList>
    </Tabs>
  );
  if (tab === 'boards') return <BoardsPage tabs={tabs} />;
  return (
    <Page
      title="Policies"
      actions={
        <CopyAsMenu operationId={`PoliciesV2Service_${OPERATIONS[tab]}`} input={{ path: { deploymentId: org.id } }} />
      }
    >
      {tabs}
      {tab === 'detection' ? <DetectionTab /> : <RemediationTab />}
    </Page>
  );
}
