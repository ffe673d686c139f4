import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { workflowIssueIdOf } from '../model/finding-id.ts';
import { useWorkflowIssue } from '../model/use-workflow-issue.ts';
import { useDecide, useDecisionKeys } from '../triage/use-decide.ts';
import { ListNavigation } from './list-navigation.tsx';
import { WorkflowIssueContent } from './workflow-issue-content.tsx';

/** A workflow issue on its own page. */
export function WorkflowIssuePage({ issueId }: { issueId: string }) {
  const { id: deploymentId } = useOrg();
  const { data, error, refetch } = useWorkflowIssue(issueId);
  useDecisionKeys(issueId, useDecide(issueId));
  return (
    <Page
      title={data?.title ?? `Finding ${issueId}`}
      actions={
        <>
          <ListNavigation issueId={issueId} />
          <CopyAsMenu
            operationId="PublicIssuesService_GetIssue"
            input={{ path: { deploymentId, issueId: workflowIssueIdOf(issueId) } }}
          />
        </>
      }
    >
      {data && <WorkflowIssueContent key={issueId} issue={data} level="h2" />}
      {!data && error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows rows={10} />}
    </Page>
  );
}
