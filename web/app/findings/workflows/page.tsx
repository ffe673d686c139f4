import { Beside } from '#web/finding/beside.tsx';
import { useDecide, useDecisionKeys } from '#web/finding/use-decide.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { workflowIdOf } from '../kinds.ts';
import { WorkflowContent } from './content.tsx';
import { useWorkflowIssue } from './use-workflow-issue.ts';

/** What an Agentic Workflow found, on a page of its own. */
export function WorkflowPage({ issueId }: { issueId: string }) {
  const { id: deploymentId } = useOrg();
  const { data, error, refetch } = useWorkflowIssue(issueId);
  useDecisionKeys(issueId, useDecide(issueId));
  return (
    <Page
      title={data?.title ?? `Finding ${issueId}`}
      actions={
        <>
          <Beside issueId={issueId} />
          <CopyAs
            operationId="PublicIssuesService_GetIssue"
            input={{ path: { deploymentId, issueId: workflowIdOf(issueId) } }}
          />
        </>
      }
    >
      {data && <WorkflowContent key={issueId} issue={data} level="h2" />}
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={10} />}
    </Page>
  );
}
