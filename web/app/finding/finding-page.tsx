import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { isWorkflowLine, lineId } from '#web/findings/kinds.ts';
import { WorkflowPage } from '#web/findings/workflows/page.tsx';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { TabList } from '#web/parts/tab-list.tsx';
import { ActivitySection } from './activity-section.tsx';
import { Beside } from './beside.tsx';
import { CodeSection } from './code-section.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { MatchesSection, OthersSection, RefsSection } from './evidence-sections.tsx';
import { FindingChips, WhatIsWrong } from './finding-head.tsx';
import './finding-page.css';
import { FixSection } from './fix-section.tsx';
import { flowSteps } from './flow.ts';
import { FlowSection } from './flow-section.tsx';
import type { Issue } from './queries.ts';
import { TriageBox } from './triage-box.tsx';
import { useDecide, useDecisionKeys } from './use-decide.ts';
import { useIssue } from './use-issue.ts';
import { WhyHere } from './why-here.tsx';

const route = getRouteApi('/o/$slug/findings/$issueId');

/** A finding on a page of its own; the next and the one before are those of the list it was opened from. */
export function FindingPage() {
  const given = route.useParams().issueId;
  const issueId = lineId(given) ?? given;
  return isWorkflowLine(issueId) ? <WorkflowPage issueId={issueId} /> : <ScannerPage issueId={issueId} />;
}

function ScannerPage({ issueId }: { issueId: string }) {
  const { data, error, refetch } = useIssue(issueId);
  useDecisionKeys(issueId, useDecide(issueId));
  return (
    <Page
      title={data?.ruleDisplayName ?? `Finding ISS-${issueId}`}
      actions={
        <>
          <Beside issueId={issueId} />
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
    const [name] = TABS.find(([one]) => one === next) ?? TABS[0];
    void navigate({ search: (before) => ({ ...before, tab: name }), resetScroll: false });
  };
  return (
    <div className="finding-page">
      <div className="finding-page-top">
        <FindingChips issue={issue} hasId />
        <WhatIsWrong issue={issue} />
      </div>
      <TriageBox issue={issue} />
      <Tabs className="finding-page-tabs" value={tab} onChange={choose} keepMounted={false}>
        <TabList open={tab}>
          {TABS.filter(([name]) => name !== 'flow' || hasFlow || tab === 'flow').map(([name, label]) => (
            <Tabs.Tab key={name} value={name} data-tab={name}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value="facts">
          <WhyHere issue={issue} />
          <CodeSection issue={issue} />
          <FixSection issue={issue} />
          <OthersSection issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="flow">
          <Flow issue={issue} />
          <CodeSection issue={issue} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <ActivitySection issue={issue} />
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
  if (flowSteps(issue.dataflowTrace).length === 0)
    return <p className="dimmed">The scanner did not say which way the data takes.</p>;
  return <FlowSection issue={issue} step={step} onStep={choose} />;
}
