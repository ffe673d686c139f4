import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { Keycaps } from '#web/keys/keycaps.tsx';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { TabList } from '#web/parts/tab-list.tsx';
import { ActivitySection } from './activity-section.tsx';
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
import { useGoToFinding, useNeighbours } from './use-neighbours.ts';
import { WhyHere } from './why-here.tsx';

const route = getRouteApi('/o/$slug/findings/$issueId');

/** A finding on a page of its own; the next and the one before are those of the list it was opened from. */
export function FindingPage() {
  const issueId = route.useParams().issueId.replace(/^ISS-/i, '');
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

/** Back to the list, and to the findings beside this one in it. */
function Beside({ issueId }: { issueId: string }) {
  const { slug } = useOrg();
  const { q, sort } = route.useSearch();
  const neighbours = useNeighbours(issueId, { q, sort });
  const go = useGoToFinding();
  const next = () => go(neighbours?.after);
  const previous = () => go(neighbours?.before);
  const navigate = route.useNavigate();
  const list = { ...(q !== undefined && { q }), ...(sort !== undefined && { sort }) };
  useKeys({ next, previous, back: () => void navigate({ to: '/o/$slug/findings', params: { slug }, search: list }) });
  return (
    <nav className="finding-beside" aria-label="List">
      <Link to="/o/$slug/findings" params={{ slug }} search={list} className="finding-back">
        <ArrowLeft size={16} aria-hidden="true" /> Findings
      </Link>
      {q !== undefined && (
        <>
          <Arrow label="Previous" name="previous" isThere={neighbours?.before !== undefined} onClick={previous} />
          <Arrow label="Next" name="next" isThere={neighbours?.after !== undefined} onClick={next} />
        </>
      )}
    </nav>
  );
}

interface ArrowProps {
  label: string;
  name: 'next' | 'previous';
  isThere: boolean;
  onClick: () => void;
}

function Arrow({ label, name, isThere, onClick }: ArrowProps) {
  return (
    <Tooltip label={<Keycaps name={name} />}>
      <ActionIcon variant="default" size="lg" aria-label={label} disabled={!isThere} onClick={onClick}>
        {name === 'next' ? <ChevronRight size={16} /> : <ChevronLeft size={16} />}
      </ActionIcon>
    </Tooltip>
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
