import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/org/org.ts';
import { workflowIdOf } from '../kinds.ts';
import { workflowIssueQuery } from './queries.ts';

/** What an Agentic Workflow found, by its id in lists. */
export const useWorkflowIssue = (lineId: string) => useQuery(workflowIssueQuery(useOrg().id, workflowIdOf(lineId)));
