import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { ActivitySection } from './activity-section.tsx';
import { CodeSection } from './code-section.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { MatchesSection, OthersSection, RefsSection } from './evidence-sections.tsx';
import { FindingChips, WhatIsWrong } from './finding-head.tsx';
import { FixSection } from './fix-section.tsx';
import { FlowSection } from './flow-section.tsx';
import { PanelFrame, type PanelFrameProps } from './panel-frame.tsx';
import { type Issue, issueQuery } from './queries.ts';
import { HeadingLevel } from './section.tsx';
import { TriageBox } from './triage-box.tsx';
import { useIssue } from './use-issue.ts';
import { WhyHere } from './why-here.tsx';

/** A finding of scanners beside its list. */
export function FindingPanel({ issueId, ...frame }: PanelFrameProps) {
  return (
    <PanelFrame {...frame} issueId={issueId} menu={<PanelMenu issueId={issueId} />}>
      <HeadingLevel value={3}>
        <PanelBody key={issueId} issueId={issueId} />
      </HeadingLevel>
    </PanelFrame>
  );
}

function PanelMenu({ issueId }: { issueId: string }) {
  const { data } = useQuery(issueQuery(useOrg().id, issueId));
  return data && <CopyMenu issue={data} size="compact-sm" />;
}

function PanelBody({ issueId }: { issueId: string }) {
  const { data, error, refetch } = useIssue(issueId);
  if (data) return <PanelContent issue={data} />;
  if (error) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return <LoadingRows rows={10} />;
}

function PanelContent({ issue }: { issue: Issue }) {
  const [step, setStep] = useState<string>();
  return (
    <>
      <h2 className="finding-title">{issue.ruleDisplayName}</h2>
      <FindingChips issue={issue} />
      <WhatIsWrong issue={issue} />
      <TriageBox issue={issue} />
      <WhyHere issue={issue} />
      <CodeSection issue={issue} />
      <FlowSection issue={issue} step={step} onStep={setStep} />
      <FixSection issue={issue} />
      <OthersSection issue={issue} />
      <RefsSection issue={issue} />
      <ActivitySection issue={issue} />
      <MatchesSection issue={issue} />
    </>
  );
}
