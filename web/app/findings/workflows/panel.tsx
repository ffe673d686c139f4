import { PanelFrame, type PanelFrameProps } from '#web/finding/panel-frame.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { WorkflowContent } from './content.tsx';
import { useWorkflowIssue } from './use-workflow-issue.ts';

/** What an Agentic Workflow found, beside the list. */
export function WorkflowPanel({ issueId, ...frame }: PanelFrameProps) {
  const { data, error, refetch } = useWorkflowIssue(issueId);
  return (
    <PanelFrame {...frame} issueId={issueId}>
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={6} />}
      {data && <h2 className="finding-title">{data.title}</h2>}
      {data && <WorkflowContent key={issueId} issue={data} level="h3" />}
    </PanelFrame>
  );
}
