import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { findingId, isWorkflowFindingId } from '../model/finding-id.ts';
import { ActivitySection } from '../sections/activity-section.tsx';
import { CodeSection } from '../sections/code-section.tsx';
import { CommentsSection } from '../sections/comments-section.tsx';
import { CopyMenu } from '../sections/copy-menu.tsx';
import { MatchesSection, RefsSection, SameRuleSection } from '../sections/evidence-sections.tsx';
import { FindingMessage, FindingSummaryChips } from '../sections/finding-summary.tsx';
import { ListNavigation } from './list-navigation.tsx';
import { WorkflowIssuePage } from './workflow-issue-page.tsx';
import './finding-page.css';
import type { Issue } from '../model/queries.ts';
import { useIssue } from '../model/use-issue.ts';
import { flowSteps } from '../sections/data-flow.ts';
import { DataFlowSection } from '../sections/data-flow-section.tsx';
import { FindingFacts } from '../sections/finding-facts.tsx';
import { FixSection } from '../sections/fix-section.tsx';
import { SentSection } from '../sections/sent-section.tsx';
import { TriageBox } from '../sections/triage-box.tsx';
import { AssignDialog } from '../triage/assign-dialog.tsx';
import { useDecide, useDecisionKeys } from '../triage/use-decide.ts';

const route = getRouteApi('/o/$slug/findings/$issueId');

/** A finding on its own page, with links to its neighbours in the list it was opened from. */
export function FindingPage() {
  const given = route.useParams().issueId;
  const issueId = findingId(given) ?? given;
  return isWorkflowFindingId(issueId) ? (
    <WorkflowIssuePage issueId={issueId} />
  ) : (
    <ScannerFindingPage issueId={issueId} />
  );
}

function ScannerFindingPage({ issueId }: { issueId: string }) {
  const { data, error, refetch } = useIssue(issueId);
  useDecisionKeys(issueId, useDecide(issueId));
  return (
    <Page
      title={data?.ruleDisplayName ?? `Finding ISS-${issueId}`}
      actions={
        <>
          <ListNavigation issueId={issueId} />
          {data && <CopyMenu issue={data} />}
        </>
      }
    >
      {data && <FindingContent key={issueId} issue={data} />}
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={10} />}
    </Page>
  );
}

const TABS = [
  ['facts', 'Finding'],
  ['flow', 'Data flow'],
  ['history', 'History'],
  ['why', 'Why matched'],
] as const;

function FindingContent({ issue }: { issue: Issue }) {
  const { tab = 'facts' } = route.useSearch();
  const navigate = route.useNavigate();
  const hasFlow = flowSteps(issue.dataflowTrace).length > 0;
  const choose = (next: string | null) => {
    const [name] = TABS.find(([tabName]) => tabName === next) ?? TABS[0];
    void navigate({ search: (before) => ({ ...before, tab: name }), resetScroll: false });
  };
  return (
    <div className="finding-page">
      <div className="finding-page-top">
        <FindingSummaryChips issue={issue} hasId />
        <FindingMessage issue={issue} />
      </div>
      <TriageBox issue={issue} />
      <AssignDialog />
      <Tabs className="finding-page-tabs" value={tab} onChange={choose} keepMounted={false}>
        <TabList open={tab}>
          {TABS.filter(([name]) => name !== 'flow' || hasFlow || tab === 'flow').map(([name, label]) => (
            <Tabs.Tab key={name} value={name} data-tab={name}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="facts">
          <FindingFacts issue={issue} />
          <CodeSection issue={issue} />
          <FixSection issue={issue} />
          <SameRuleSection issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="flow">
          <Flow issue={issue} />
          <CodeSection issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <CommentsSection issue={issue} />
          <ActivitySection issue={issue} />
          <SentSection issue={issue} />
          <RefsSection issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="why">
          <MatchesSection issue={issue} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function Flow({ issue }: { issue: Issue }) {
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (next: string) =>
    void navigate({ search: (before) => ({ ...before, step: next }), replace: true, resetScroll: false });
  if (flowSteps(issue.dataflowTrace).length === 0) return <p className="dimmed">The scanner reported no data flow.</p>;
  return <DataFlowSection issue={issue} step={step} onStep={choose} />;
}
