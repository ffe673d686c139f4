import { REASON_LABELS, STATE_LABELS } from '#web/labels.ts';
import { TRIAGE_STATES, type TriageStep } from '#web/parts/finding-state.ts';
import { numberText } from '#web/parts/number-text.ts';
import { idLabel } from './kinds.ts';

export const REASONS = ['false_positive', 'acceptable_risk', 'no_time', 'duplicate'] as const;
export type Reason = (typeof REASONS)[number];

/** What somebody decides about findings. */
export interface Decision {
  state: TriageStep;
  /** Belongs to `ignored` only. */
  reason?: Reason;
  note?: string;
  /** When the decision ends by itself, in ISO 8601. */
  until?: string;
}

const V2_REASONS = {
  false_positive: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE',
  acceptable_risk: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK',
  no_time: 'FINDING_TRIAGE_REASON_NO_TIME',
  duplicate: 'FINDING_TRIAGE_REASON_DUPLICATE',
} as const;

/** The decision as the API takes it. */
export const paramsOf = ({ state, reason, note, until }: Decision) => ({
  triageState: TRIAGE_STATES[state],
  ...(reason !== undefined && state === 'ignored' && { triageReason: V2_REASONS[reason] }),
  ...(note !== undefined && note !== '' && { note }),
  ...(until !== undefined && until !== '' && { until }),
});

export const reasonLabel = (reason: Reason): string => REASON_LABELS[V2_REASONS[reason]] ?? reason;

/** "Ignored (false positive)": the words of a decision. */
export const decisionLabel = ({ state, reason }: Decision): string =>
  reason !== undefined && state === 'ignored'
    ? `${STATE_LABELS[state]} (${reasonLabel(reason).toLowerCase()})`
    : STATE_LABELS[state];

/** "ISS-4821: Ignored (false positive)", "12 findings: To fix". */
export function doneLabel(ids: readonly string[], decision: Decision): string {
  const [only] = ids;
  const what = ids.length === 1 && only !== undefined ? idLabel(only) : `${numberText(ids.length)} findings`;
  return `${what}: ${decisionLabel(decision)}`;
}
