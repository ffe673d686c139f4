import { queryOptions } from '@tanstack/react-query';
import { publicIssues } from '#web/foundation/api/services.ts';
import { currentRevision } from './pending-decisions.ts';

/** A workflow issue, with the revision of decisions at which it was requested. */
export const workflowIssueQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'workflow-issue', issueId],
    queryFn: async ({ signal }) => {
      const loadedAtRevision = currentRevision();
      const { data } = await publicIssues.getIssue({ path: { deploymentId, issueId } }, { signal });
      return { ...data, loadedAtRevision };
    },
  });
