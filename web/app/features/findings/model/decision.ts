import { formatNumber } from '#web/foundation/format/format-number.ts';
import { REASON_LABELS, STATE_LABELS } from '#web/foundation/format/labels.ts';
import { TRIAGE_STATES, type TriageState } from '#web/ui/badges/finding-state.ts';
import { idLabel } from './finding-id.ts';

export const TRIAGE_REASONS = ['false_positive', 'acceptable_risk', 'no_time', 'duplicate'] as const;
export type TriageReason = (typeof TRIAGE_REASONS)[number];

/** The API's limit for notes. */
export const MAX_NOTE_LENGTH = 3000;

/** Who deals with a finding; without an id, nobody. */
export interface Assignee {
  id: string;
  name: string;
}

export const NOBODY: Assignee = { id: '', name: 'nobody' };

/** A triage decision, or an assignment; a member that is absent does not change. */
export interface Decision {
  state?: TriageState;
  assignee?: Assignee;
  /** For `ignored` only. */
  reason?: TriageReason;
  note?: string;
  /** When the decision expires, in ISO 8601. */
  until?: string;
}

const V2_REASONS = {
  false_positive: 'FINDING_TRIAGE_REASON_FALSE_POSITIVE',
  acceptable_risk: 'FINDING_TRIAGE_REASON_ACCEPTABLE_RISK',
  no_time: 'FINDING_TRIAGE_REASON_NO_TIME',
  duplicate: 'FINDING_TRIAGE_REASON_DUPLICATE',
} as const;

/** The decision as a request of the API. */
export const decisionParams = ({ state, reason, note, until, assignee }: Decision) => ({
  ...(state !== undefined && { triageState: TRIAGE_STATES[state] }),
  ...(assignee !== undefined && { assignee: assignee.id === '' ? 'none' : assignee.id }),
  ...(reason !== undefined && state === 'ignored' && { triageReason: V2_REASONS[reason] }),
  ...(note !== undefined && note !== '' && { note }),
  ...(until !== undefined && until !== '' && { until }),
});

export const reasonLabel = (reason: TriageReason): string => REASON_LABELS[V2_REASONS[reason]] ?? reason;

/** "Ignored (false positive)", "Assigned to Ada". */
export function decisionLabel({ state, reason, assignee }: Decision): string {
  if (state === undefined) return `Assigned to ${(assignee ?? NOBODY).name}`;
  return reason !== undefined && state === 'ignored'
    ? `${STATE_LABELS[state]} (${reasonLabel(reason).toLowerCase()})`
    : STATE_LABELS[state];
}

/** "ISS-4821: Ignored (false positive)", "12 findings: To fix". */
export function decisionSummary(ids: readonly string[], decision: Decision): string {
  const [only] = ids;
  const what = ids.length === 1 && only !== undefined ? idLabel(only) : `${formatNumber(ids.length)} findings`;
  return `${what}: ${decisionLabel(decision)}`;
}
