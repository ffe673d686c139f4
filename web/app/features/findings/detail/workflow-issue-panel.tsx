import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { useWorkflowIssue } from '../model/use-workflow-issue.ts';
import { PanelFrame, type PanelFrameProps } from './panel-frame.tsx';
import { WorkflowIssueContent } from './workflow-issue-content.tsx';

/** A workflow issue in the panel beside the list. */
export function WorkflowIssuePanel({ issueId, ...frame }: PanelFrameProps) {
  const { data, error, refetch } = useWorkflowIssue(issueId);
  return (
    <PanelFrame {...frame} issueId={issueId}>
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={6} />}
      {data && <h2 className="finding-title">{data.title}</h2>}
      {data && <WorkflowIssueContent key={issueId} issue={data} level="h3" />}
    </PanelFrame>
  );
}
