import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import { workflowIssueIdOf } from './finding-id.ts';
import { workflowIssueQuery } from './workflow-issue-query.ts';

/** A workflow issue by its id in lists (`WF-12`). */
export const useWorkflowIssue = (lineId: string) =>
  useQuery(workflowIssueQuery(useOrg().id, workflowIssueIdOf(lineId)));
