import type { STATE_LABELS } from '#web/foundation/format/labels.ts';

/** What a finding is, as people meet it: from what scans say and what was decided. */
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

/** Reads the API's two words into one state. */
export function findingStateOf(issue: { aggregateState: string; triageState?: string }): FindingState {
  const state = BY_AGGREGATE[issue.aggregateState.replace(/^AGGREGATE_ISSUE_STATE_/, '')] ?? 'open';
  return state === 'open' && issue.triageState === 'FINDING_TRIAGE_STATE_REOPENED' ? 'reopened' : state;
}

/** States that a person can choose, with the words of the API for them. */
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
  // Scans say what is there: only they can bring these back.
  fixed: [],
  removed: [],
};

/** What is offered next: any state may follow any, but only these make sense to a person. */
export const nextStates = (state: FindingState): readonly TriageState[] => NEXT[state];
