import { publicIssues } from '#web/foundation/api/services.ts';
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

type Body = Pick<Parameters<typeof publicIssues.triageIssue>[0]['body'], 'triageState' | 'triageReason'>;

const bodyOf = ({ state, reason }: Decision): Body => {
  const triageReason = reason === undefined || state !== 'ignored' ? undefined : REASONS[reason];
  return { triageState: STATES[state], ...(triageReason !== undefined && { triageReason }) };
};

/** What became of decisions about what workflows found. */
export interface WorkflowTriageOutcome {
  done: readonly string[];
  rest: readonly string[];
  /** How many of them are not what they were. */
  changed: number;
  failure?: unknown;
  /** Puts those that changed back to what they were. */
  undo: () => Promise<void>;
}

/** Sends decisions one after the other, because this part of the API takes one at a time; the first failure ends it. */
export async function triageWorkflowIssues(
  deploymentId: string,
  lineIds: readonly string[],
  decision: Decision,
): Promise<WorkflowTriageOutcome> {
  const before: { issueId: string; body: Body }[] = [];
  let [at, failure]: [number, unknown] = [0, undefined];
  const wanted = bodyOf(decision);
  try {
    for (; at < lineIds.length; at++) {
      const path = { deploymentId, issueId: workflowIssueIdOf(lineIds[at] ?? '') };
      const { triageState, triageReason } = (await publicIssues.getIssue({ path })).data;
      await publicIssues.triageIssue({ path, body: wanted });
      if (triageState !== wanted.triageState || triageReason !== wanted.triageReason)
        before.push({ issueId: path.issueId, body: { triageState, ...(triageReason && { triageReason }) } });
    }
  } catch (error) {
    failure = error;
  }
  const undo = async () => {
    for (const { issueId, body } of before.toReversed())
      await publicIssues.triageIssue({ path: { deploymentId, issueId }, body });
  };
  const result = { done: lineIds.slice(0, at), rest: lineIds.slice(at), changed: before.length, undo };
  return failure === undefined ? result : { ...result, failure };
}

/** What this part of the API has no place for, in words; empty where all of a decision is kept. */
export function unsupportedFieldsText({ note = '', until = '', reason }: Decision): string {
  const lost = [
    ...(note === '' ? [] : ['comments']),
    ...(until === '' ? [] : ['end dates']),
    ...(reason === 'duplicate' ? ['that reason'] : []),
  ];
  return lost.length === 0 ? '' : `What workflows found keeps no ${lost.join(' and no ')}.`;
}
