import { TRIAGE_REASONS, TRIAGE_STATES, type TriageReason, type TriageState } from '#domain/findings/shape.ts';
import type { UNSUPPORTED_DECISION_FIELDS, WorkflowIssue } from './shape.ts';

export interface WorkflowTriage {
  triageState: WorkflowIssue['triageState'];
  triageReason?: WorkflowIssue['triageReason'];
}

/** The decision that is kept: a reason belongs to ignoring and to nothing else. */
export const normaliseTriage = ({ triageState, triageReason }: WorkflowTriage): WorkflowTriage =>
  triageState === 'TRIAGE_STATE_IGNORED' && triageReason !== undefined
    ? { triageState, triageReason }
    : { triageState };

/** False when the very same was decided before. */
export const isNewDecision = (
  before: WorkflowTriage & { triagedAt?: Date | undefined },
  after: WorkflowTriage,
): boolean =>
  before.triagedAt === undefined ||
  before.triageState !== after.triageState ||
  before.triageReason !== after.triageReason;

/** What somebody decides about findings. */
interface FindingDecision {
  state?: TriageState;
  reason?: TriageReason;
  note?: string;
  until?: Date;
}

/** What a decision about findings is for what workflows found; undefined where it says nothing that is kept there. */
export function workflowTriageOf({ state, reason }: FindingDecision): WorkflowTriage | undefined {
  if (state === undefined) return undefined;
  const triageReason = reason && TRIAGE_REASONS[reason].seed;
  return normaliseTriage({ triageState: TRIAGE_STATES[state].seed, ...(triageReason && { triageReason }) });
}

/** What of a decision about findings is lost here. */
export const unsupportedFieldsOf = ({
  reason,
  note,
  until,
}: FindingDecision): (typeof UNSUPPORTED_DECISION_FIELDS)[number][] => [
  ...(note === undefined ? [] : (['note'] as const)),
  ...(until === undefined ? [] : (['until'] as const)),
  ...(reason === 'duplicate' ? (['triageReason'] as const) : []),
];
