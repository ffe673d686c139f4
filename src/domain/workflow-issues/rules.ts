import { TRIAGE_REASONS, TRIAGE_STATES, type TriageReason, type TriageState } from '#domain/findings/shape.ts';
import type { UNSUPPORTED_DECISION_FIELDS, WorkflowIssue } from './shape.ts';

export interface WorkflowTriage {
  triageState: WorkflowIssue['triageState'];
  triageReason?: WorkflowIssue['triageReason'];
}

/** The decision as stored: only ignored issues have a reason. */
export const normaliseTriage = ({ triageState, triageReason }: WorkflowTriage): WorkflowTriage =>
  triageState === 'TRIAGE_STATE_IGNORED' && triageReason !== undefined
    ? { triageState, triageReason }
    : { triageState };

/** False if the same decision was made before. */
export const isNewDecision = (
  before: WorkflowTriage & { triagedAt?: Date | undefined },
  after: WorkflowTriage,
): boolean =>
  before.triagedAt === undefined ||
  before.triageState !== after.triageState ||
  before.triageReason !== after.triageReason;

/** A decision about findings. */
interface FindingDecision {
  state?: TriageState;
  reason?: TriageReason;
  note?: string;
  until?: Date;
  assignee?: string | null;
}

/** The decision about workflow issues that corresponds to one about findings; undefined if it has no state. */
export function workflowTriageOf({ state, reason }: FindingDecision): WorkflowTriage | undefined {
  if (state === undefined) return undefined;
  const triageReason = reason && TRIAGE_REASONS[reason].seed;
  return normaliseTriage({ triageState: TRIAGE_STATES[state].seed, ...(triageReason && { triageReason }) });
}

/** The fields of a decision about findings that workflow issues cannot store. */
export const unsupportedFieldsOf = ({
  reason,
  note,
  until,
  assignee,
}: FindingDecision): (typeof UNSUPPORTED_DECISION_FIELDS)[number][] => [
  ...(note === undefined ? [] : (['note'] as const)),
  ...(until === undefined ? [] : (['until'] as const)),
  ...(assignee === undefined ? [] : (['assignee'] as const)),
  ...(reason === 'duplicate' ? (['triageReason'] as const) : []),
];
