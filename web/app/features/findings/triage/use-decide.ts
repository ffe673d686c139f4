import { useQueryClient } from '@tanstack/react-query';
import type { Decision } from '#web/features/findings/model/decision.ts';
import { isWorkflowFindingId, workflowIssueIdOf } from '#web/features/findings/model/finding-id.ts';
import { pendingDecisionOf, pendingState, usePendingDecision } from '#web/features/findings/model/pending-decisions.ts';
import { workflowState } from '#web/features/findings/model/workflow-issue.ts';
import { workflowIssueQuery } from '#web/features/findings/model/workflow-issue-query.ts';
import { useTriage } from '#web/features/findings/triage/use-triage.ts';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type FindingState, findingStateOf } from '#web/ui/badges/finding-state.ts';
import { type Issue, issueQuery } from '../model/queries.ts';
import { closeIgnoreForm, openIgnoreForm } from './ignore-form-store.ts';

/** What the finding is, with what was decided since it was asked for. */
export function useFindingState(issue: Issue): FindingState {
  return pendingState(usePendingDecision(issue.id), issue.loadedAtRevision) ?? findingStateOf(issue);
}

/** Decides about one finding. */
export function useDecide(issueId: string): (decision: Decision) => void {
  const { triage } = useTriage();
  return (decision) => {
    closeIgnoreForm();
    void triage([issueId], decision);
  };
}

/** What agreeing with a machine that would ignore it means. */
export const CONFIRMED_FALSE_POSITIVE: Decision = { state: 'ignored', reason: 'false_positive' };

/** The keys of triage for the finding that is shown, for those who may decide. */
export function useDecisionKeys(issueId: string | undefined, decide: (decision: Decision) => void): void {
  const { id: deploymentId, may } = useOrg();
  const queryClient = useQueryClient();
  const isProvisional = () => {
    const id = issueId ?? '';
    const [issue, other] = isWorkflowFindingId(id)
      ? [undefined, queryClient.getQueryData(workflowIssueQuery(deploymentId, workflowIssueIdOf(id)).queryKey)]
      : [queryClient.getQueryData(issueQuery(deploymentId, id).queryKey), undefined];
    const state = (issue && findingStateOf(issue)) ?? (other && workflowState(other));
    return (pendingState(pendingDecisionOf(id), (issue ?? other)?.loadedAtRevision) ?? state) === 'provisional';
  };
  const agree = (decision: Decision) => () =>
    isProvisional() ? decide(decision) : notify('This one is not provisionally ignored.');
  const handlers = {
    setOpen: () => decide({ state: 'open' }),
    setReviewing: () => decide({ state: 'reviewing' }),
    setFixing: () => decide({ state: 'fixing' }),
    ignoreFalsePositive: () => decide({ state: 'ignored', reason: 'false_positive' }),
    ignoreAcceptableRisk: () => decide({ state: 'ignored', reason: 'acceptable_risk' }),
    ignoreNoTime: () => decide({ state: 'ignored', reason: 'no_time' }),
    ignoreWithComment: () => openIgnoreForm(issueId ?? ''),
    agree: agree(CONFIRMED_FALSE_POSITIVE),
    disagree: agree({ state: 'open' }),
  };
  useShortcuts(issueId === undefined || !may('issue:triage') ? {} : handlers);
}
