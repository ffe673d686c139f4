import { useQueryClient } from '@tanstack/react-query';
import { decidedOf, stateBy, useDecided } from '#web/findings/decided.ts';
import type { Decision } from '#web/findings/decision.ts';
import { isWorkflowLine, workflowIdOf } from '#web/findings/kinds.ts';
import { useTriage } from '#web/findings/triage.ts';
import { workflowIssueQuery } from '#web/findings/workflows/queries.ts';
import { workflowState } from '#web/findings/workflows/row.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { type FindingState, findingStateOf } from '#web/parts/finding-state.ts';
import { say } from '#web/shell/say.ts';
import { closeIgnoreForm, openIgnoreForm } from './ignore-form-store.ts';
import { type Issue, issueQuery } from './queries.ts';

/** What the finding is, with what was decided since it was asked for. */
export function useStateOf(issue: Issue): FindingState {
  return stateBy(useDecided(issue.id), issue.askedAt) ?? findingStateOf(issue);
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
export const AGREED: Decision = { state: 'ignored', reason: 'false_positive' };

/** The keys of triage for the finding that is shown, for those who may decide. */
export function useDecisionKeys(issueId: string | undefined, decide: (decision: Decision) => void): void {
  const { id: deploymentId, may } = useOrg();
  const queryClient = useQueryClient();
  const isProvisional = () => {
    const id = issueId ?? '';
    const [issue, other] = isWorkflowLine(id)
      ? [undefined, queryClient.getQueryData(workflowIssueQuery(deploymentId, workflowIdOf(id)).queryKey)]
      : [queryClient.getQueryData(issueQuery(deploymentId, id).queryKey), undefined];
    const state = (issue && findingStateOf(issue)) ?? (other && workflowState(other));
    return (stateBy(decidedOf(id), (issue ?? other)?.askedAt) ?? state) === 'provisional';
  };
  const agree = (decision: Decision) => () =>
    isProvisional() ? decide(decision) : say('This one is not provisionally ignored.');
  const handlers = {
    setOpen: () => decide({ state: 'open' }),
    setReviewing: () => decide({ state: 'reviewing' }),
    setFixing: () => decide({ state: 'fixing' }),
    ignoreFalsePositive: () => decide({ state: 'ignored', reason: 'false_positive' }),
    ignoreAcceptableRisk: () => decide({ state: 'ignored', reason: 'acceptable_risk' }),
    ignoreNoTime: () => decide({ state: 'ignored', reason: 'no_time' }),
    ignoreWithComment: () => openIgnoreForm(issueId ?? ''),
    agree: agree(AGREED),
    disagree: agree({ state: 'open' }),
  };
  useKeys(issueId === undefined || !may('issue:triage') ? {} : handlers);
}
