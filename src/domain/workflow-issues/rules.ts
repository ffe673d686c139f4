import { TRIAGE_REASONS, TRIAGE_STATES, type TriageReason, type TriageState } from '#domain/findings/shape.ts';
import type { NOT_KEPT, WorkflowIssue } from './shape.ts';

export interface Triage {
  triageState: WorkflowIssue['triageState'];
  triageReason?: WorkflowIssue['triageReason'];
}

/** The decision that is kept: a reason belongs to ignoring and to nothing else. */
export const triageOf = ({ triageState, triageReason }: Triage): Triage =>
  triageState === 'TRIAGE_STATE_IGNORED' && triageReason !== undefined
    ? { triageState, triageReason }
    : { triageState };

/** False when the very same was decided before. */
export const isNewDecision = (before: Triage & { triagedAt?: Date | undefined }, after: Triage): boolean =>
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
export function triageBy({ state, reason }: FindingDecision): Triage | undefined {
  if (state === undefined) return undefined;
  const triageReason = reason && TRIAGE_REASONS[reason].seed;
  return triageOf({ triageState: TRIAGE_STATES[state].seed, ...(triageReason && { triageReason }) });
}

/** What of a decision about findings is lost here. */
export const notKeptOf = ({ reason, note, until }: FindingDecision): (typeof NOT_KEPT)[number][] => [
  ...(note === undefined ? [] : (['note'] as const)),
  ...(until === undefined ? [] : (['until'] as const)),
  ...(reason === 'duplicate' ? (['triageReason'] as const) : []),
];
