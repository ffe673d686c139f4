import { queryOptions } from '@tanstack/react-query';
import { publicIssues } from '#web/api/services.ts';
import { turnNow } from '../decided.ts';

/** What an Agentic Workflow found, with the turn at which it was asked for. */
export const workflowIssueQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'workflow-issue', issueId],
    queryFn: async ({ signal }) => {
      const askedAt = turnNow();
      const { data } = await publicIssues.getIssue({ path: { deploymentId, issueId } }, { signal });
      return { ...data, askedAt };
    },
  });
