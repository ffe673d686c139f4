import { publicIssues } from '#web/foundation/api/services.ts';
import type { TriageState } from '#web/ui/badges/finding-state.ts';
import type { Decision } from '../model/decision.ts';
import { workflowIssueIdOf } from '../model/finding-id.ts';

const STATES = {
  open: 'TRIAGE_STATE_OPEN',
  reopened: 'TRIAGE_STATE_REOPENED',
  reviewing: 'TRIAGE_STATE_REVIEWING',
  fixing: 'TRIAGE_STATE_FIXING',
  provisional: 'TRIAGE_STATE_PROVISIONALLY_IGNORED',
  ignored: 'TRIAGE_STATE_IGNORED',
} as const;

const REASONS = {
  false_positive: 'TRIAGE_REASON_FALSE_POSITIVE',
  acceptable_risk: 'TRIAGE_REASON_ACCEPTABLE_RISK',
  no_time: 'TRIAGE_REASON_NO_TIME',
  duplicate: undefined,
} as const;

type TriageBody = Pick<Parameters<typeof publicIssues.triageIssue>[0]['body'], 'triageState' | 'triageReason'>;

const bodyOf = (state: TriageState, reason: Decision['reason']): TriageBody => {
  const triageReason = reason === undefined || state !== 'ignored' ? undefined : REASONS[reason];
  return { triageState: STATES[state], ...(triageReason !== undefined && { triageReason }) };
};

/** The outcome of a triage of workflow issues. */
interface WorkflowTriageOutcome {
  done: readonly string[];
  rest: readonly string[];
  /** How many of them changed. */
  changed: number;
  failure?: unknown;
  /** Restores the previous state of those that changed. */
  undo: () => Promise<void>;
}

/** Sends decisions one by one, because PublicIssuesService has no bulk operation. The first failure stops it. */
export async function triageWorkflowIssues(
  deploymentId: string,
  ids: readonly string[],
  decision: Decision,
): Promise<WorkflowTriageOutcome> {
  const previous: { issueId: string; body: TriageBody }[] = [];
  let [sentCount, failure]: [number, unknown] = [0, undefined];
  if (decision.state === undefined) return { done: [], rest: [], changed: 0, undo: async () => {} };
  const body = bodyOf(decision.state, decision.reason);
  try {
    for (; sentCount < ids.length; sentCount++) {
      const path = { deploymentId, issueId: workflowIssueIdOf(ids[sentCount] ?? '') };
      const { triageState, triageReason } = (await publicIssues.getIssue({ path })).data;
      await publicIssues.triageIssue({ path, body });
      if (triageState !== body.triageState || triageReason !== body.triageReason)
        previous.push({ issueId: path.issueId, body: { triageState, ...(triageReason && { triageReason }) } });
    }
  } catch (error) {
    failure = error;
  }
  const undo = async () => {
    for (const { issueId, body: restored } of previous.toReversed())
      await publicIssues.triageIssue({ path: { deploymentId, issueId }, body: restored });
  };
  const result = { done: ids.slice(0, sentCount), rest: ids.slice(sentCount), changed: previous.length, undo };
  return failure === undefined ? result : { ...result, failure };
}

/** Names the parts of a decision that workflow issues do not store; empty if all are stored. */
export function unsupportedFieldsText({ note = '', until = '', reason, assignee }: Decision): string {
  const unsupported = [
    ...(note === '' ? [] : ['comments']),
    ...(until === '' ? [] : ['end dates']),
    ...(reason === 'duplicate' ? ['that reason'] : []),
    ...(assignee === undefined ? [] : ['assignees']),
  ];
  return unsupported.length === 0 ? '' : `Workflow issues do not support ${unsupported.join(' or ')}.`;
}
