import { useQueryClient } from '@tanstack/react-query';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type FindingState, findingStateOf } from '#web/ui/badges/finding-state.ts';
import type { Decision } from '../model/decision.ts';
import { isWorkflowFindingId, workflowIssueIdOf } from '../model/finding-id.ts';
import { pendingDecisionOf, pendingState, usePendingDecision } from '../model/pending-decisions.ts';
import { type Issue, issueQuery } from '../model/queries.ts';
import { workflowState } from '../model/workflow-issue.ts';
import { workflowIssueQuery } from '../model/workflow-issue-query.ts';
import { closeIgnoreForm, openIgnoreForm } from './ignore-form-store.ts';
import { triageShortcuts } from './triage-shortcuts.ts';
import { useTriage } from './use-triage.ts';

/** The state of a finding, with later decisions applied. */
export function useFindingState(issue: Issue): FindingState {
  return pendingState(usePendingDecision(issue.id), issue.loadedAtRevision) ?? findingStateOf(issue);
}

/** Triages one finding and closes its ignore form. */
export function useDecide(issueId: string): (decision: Decision) => void {
  const { triage } = useTriage();
  return (decision) => {
    closeIgnoreForm();
    void triage([issueId], decision);
  };
}

/** The triage shortcuts for the shown finding, if the person may triage. */
export function useDecisionKeys(issueId: string | undefined, decide: (decision: Decision) => void): void {
  const { id: deploymentId, may } = useOrg();
  const queryClient = useQueryClient();
  const isProvisional = () => {
    const id = issueId ?? '';
    const [issue, workflowIssue] = isWorkflowFindingId(id)
      ? [undefined, queryClient.getQueryData(workflowIssueQuery(deploymentId, workflowIssueIdOf(id)).queryKey)]
      : [queryClient.getQueryData(issueQuery(deploymentId, id).queryKey), undefined];
    const state = (issue && findingStateOf(issue)) ?? (workflowIssue && workflowState(workflowIssue));
    return (pendingState(pendingDecisionOf(id), (issue ?? workflowIssue)?.loadedAtRevision) ?? state) === 'provisional';
  };
  const handlers = triageShortcuts({ decide, openForm: () => openIgnoreForm(issueId ?? ''), isProvisional });
  useShortcuts(issueId === undefined || !may('issue:triage') ? {} : handlers);
}
