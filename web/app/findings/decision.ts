import { TRIAGE_REASONS, TRIAGE_STATES } from '#web/labels.ts';

export const DECIDED_STATES = ['open', 'reopened', 'reviewing', 'fixing', 'ignored'] as const;
export type DecidedState = (typeof DECIDED_STATES)[number];

export const REASONS = ['false_positive', 'acceptable_risk', 'no_time', 'duplicate'] as const;
export type Reason = (typeof REASONS)[number];

/** What somebody decides about findings. */
export interface Decision {
  state: DecidedState;
  /** Belongs to `ignored` only. */
  reason?: Reason;
  note?: string;
  /** When the decision ends by itself, in ISO 8601. */
  until?: string;
}

const V2_STATES = {
  open: 'FINDING_TRIAGE_STATE_UNTRIAGED',
  reopened: 'FINDING_TRIAGE_STATE_REOPENED',
  reviewing: 'FINDING_TRIAGE_STATE_REVIEWING',
  fixing: 'FINDING_TRIAGE_STATE_FIXING',
  ignored: 'FINDING_TRIAGE_STATE_IGNORED',
} as const;

const V2_REASONS = {
  false_positive: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE',
  acceptable_risk: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK',
  no_time: 'FINDING_TRIAGE_REASON_NO_TIME',
  duplicate: 'FINDING_TRIAGE_REASON_DUPLICATE',
} as const;

const AGGREGATES = {
  open: 'AGGREGATE_ISSUE_STATE_OPEN',
  reopened: 'AGGREGATE_ISSUE_STATE_OPEN',
  reviewing: 'AGGREGATE_ISSUE_STATE_REVIEWING',
  fixing: 'AGGREGATE_ISSUE_STATE_FIXING',
  ignored: 'AGGREGATE_ISSUE_STATE_IGNORED_APP',
} as const;

/** What a finding with this decision will be shown as. */
export const aggregateOf = (decision: Decision): string => AGGREGATES[decision.state];

/** The decision as the API takes it. */
export const paramsOf = ({ state, reason, note, until }: Decision) => ({
  triageState: V2_STATES[state],
  ...(reason !== undefined && state === 'ignored' && { triageReason: V2_REASONS[reason] }),
  ...(note !== undefined && note !== '' && { note }),
  ...(until !== undefined && until !== '' && { until }),
});

export const reasonLabel = (reason: Reason): string => TRIAGE_REASONS[V2_REASONS[reason]] ?? reason;

/** "Ignored (false positive)": the words of a decision. */
export function decisionLabel({ state, reason }: Decision): string {
  const word = TRIAGE_STATES[V2_STATES[state]] ?? state;
  return reason !== undefined && state === 'ignored' ? `${word} (${reasonLabel(reason)})` : word;
}

/** "ISS-4821: Ignored (false positive)", "12 findings: To fix". */
export function doneLabel(ids: readonly string[], decision: Decision): string {
  const [only] = ids;
  const what = ids.length === 1 && only !== undefined ? `ISS-${only}` : `${ids.length.toLocaleString('en')} findings`;
  return `${what}: ${decisionLabel(decision)}`;
}
