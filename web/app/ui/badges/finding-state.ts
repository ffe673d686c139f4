import type { STATE_LABELS } from '#web/foundation/format/labels.ts';

/** The state of a finding as shown to users: scan results combined with triage. */
export type FindingState = keyof typeof STATE_LABELS;

const BY_AGGREGATE: Record<string, FindingState> = {
  OPEN: 'open',
  FIXED: 'fixed',
  REMOVED: 'removed',
  IGNORED_APP: 'ignored',
  IGNORED_CODE: 'ignored',
  REVIEWING: 'reviewing',
  FIXING: 'fixing',
  PROVISIONALLY_IGNORED_APP: 'provisional',
};

/** Combines the aggregate state and the triage state of the API into one state. */
export function findingStateOf(issue: { aggregateState: string; triageState?: string }): FindingState {
  const state = BY_AGGREGATE[issue.aggregateState.replace(/^AGGREGATE_ISSUE_STATE_/, '')] ?? 'open';
  return state === 'open' && issue.triageState === 'FINDING_TRIAGE_STATE_REOPENED' ? 'reopened' : state;
}

/** The states that a user can set, with their API values. */
export const TRIAGE_STATES = {
  open: 'FINDING_TRIAGE_STATE_UNTRIAGED',
  reopened: 'FINDING_TRIAGE_STATE_REOPENED',
  reviewing: 'FINDING_TRIAGE_STATE_REVIEWING',
  fixing: 'FINDING_TRIAGE_STATE_FIXING',
  provisional: 'FINDING_TRIAGE_STATE_PROVISIONALLY_IGNORED',
  ignored: 'FINDING_TRIAGE_STATE_IGNORED',
} as const;

export type TriageState = keyof typeof TRIAGE_STATES;

const NEXT: Record<FindingState, readonly TriageState[]> = {
  open: ['reviewing', 'fixing', 'ignored'],
  reopened: ['reviewing', 'fixing', 'ignored'],
  reviewing: ['fixing', 'ignored', 'open'],
  fixing: ['ignored', 'open'],
  provisional: ['ignored', 'open'],
  ignored: ['reopened'],
  // Set by scans only, so triage offers no way out of them.
  fixed: [],
  removed: [],
};

/** The states offered next. The API accepts any transition, but only these are useful. */
export const nextStates = (state: FindingState): readonly TriageState[] => NEXT[state];
