import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { type Issue, issueQuery } from '../model/queries.ts';
import { useIssue } from '../model/use-issue.ts';
import { ActivitySection } from '../sections/activity-section.tsx';
import { CodeSection } from '../sections/code-section.tsx';
import { CommentsSection } from '../sections/comments-section.tsx';
import { CopyMenu } from '../sections/copy-menu.tsx';
import { DataFlowSection } from '../sections/data-flow-section.tsx';
import { MatchesSection, RefsSection, SameRuleSection } from '../sections/evidence-sections.tsx';
import { FindingFacts } from '../sections/finding-facts.tsx';
import { HeadingLevel } from '../sections/finding-section.tsx';
import { FindingMessage, FindingSummaryChips } from '../sections/finding-summary.tsx';
import { FixSection } from '../sections/fix-section.tsx';
import { SentSection } from '../sections/sent-section.tsx';
import { TriageBox } from '../sections/triage-box.tsx';
import { PanelFrame, type PanelFrameProps } from './panel-frame.tsx';

/** A finding in the panel beside the list. */
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
      <FindingSummaryChips issue={issue} />
      <FindingMessage issue={issue} />
      <TriageBox issue={issue} />
      <FindingFacts issue={issue} />
      <CodeSection issue={issue} />
      <DataFlowSection issue={issue} step={step} onStep={setStep} />
      <FixSection issue={issue} />
      <SameRuleSection issue={issue} />
      <RefsSection issue={issue} />
      <CommentsSection issue={issue} />
      <ActivitySection issue={issue} />
      <SentSection issue={issue} />
      <MatchesSection issue={issue} />
    </>
  );
}
