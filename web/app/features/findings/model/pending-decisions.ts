import { useSyncExternalStore } from 'react';
import type { ProblemBody } from '#web/foundation/api/problem.ts';
import type { TriageState } from '#web/ui/badges/finding-state.ts';
import type { Assignee, Decision } from './decision.ts';

/** A decision that is shown before loaded data contains it. */
interface PendingDecision {
  kind: 'saving' | 'saved' | 'refused';
  decision: Decision;
  problem?: ProblemBody;
  /** Counts up with each decision, so that a reply loaded at revision n is known to contain the decisions up to n. */
  revision: number;
}

const pending = new Map<string, PendingDecision>();
const listeners = new Map<string, Set<() => void>>();
let latestRevision = 0;

function notifyListeners(ids: readonly string[]): void {
  for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
}

/** Read it before a request and pass it to `dropConfirmed` with the reply. */
export const currentRevision = (): number => latestRevision;

export const pendingDecisionOf = (id: string): PendingDecision | undefined => pending.get(id);

/** The state set by a decision made after the given revision; undefined if it was refused. */
export const pendingState = (entry: PendingDecision | undefined, since = 0): TriageState | undefined =>
  entry !== undefined && entry.kind !== 'refused' && entry.revision > since ? entry.decision.state : undefined;

/** The assignee set by a decision made after the given revision; undefined if there is none. */
export const pendingAssignee = (entry: PendingDecision | undefined, since = 0): Assignee | undefined =>
  entry !== undefined && entry.kind !== 'refused' && entry.revision > since ? entry.decision.assignee : undefined;

/** Shows a decision at once and returns its revision. */
export function addPendingDecision(ids: readonly string[], decision: Decision): number {
  latestRevision++;
  for (const id of ids) {
    const before = pending.get(id);
    // A decision about the state does not hide one about the assignee that is not loaded yet, and vice versa.
    const earlier = before === undefined || before.kind === 'refused' ? {} : before.decision;
    pending.set(id, { kind: 'saving', decision: { ...earlier, ...decision }, revision: latestRevision });
  }
  notifyListeners(ids);
  return latestRevision;
}

function update(
  ids: readonly string[],
  revision: number,
  next: (before: PendingDecision) => PendingDecision | undefined,
): void {
  const affected = ids.filter((id) => pending.get(id)?.revision === revision);
  for (const id of affected) {
    const before = pending.get(id);
    const after = before && next(before);
    if (after) pending.set(id, after);
    else pending.delete(id);
  }
  notifyListeners(affected);
}

/** Replies that are requested from now on contain the decision. */
export function markSaved(ids: readonly string[], revision: number): void {
  latestRevision++;
  const savedAt = latestRevision;
  update(ids, revision, (before) => ({ ...before, kind: 'saved', revision: savedAt }));
}

/** Shows the previous state again, with the reason of the refusal. */
export const markRefused = (ids: readonly string[], revision: number, problem: ProblemBody): void =>
  update(ids, revision, (before) => ({ ...before, kind: 'refused', problem }));

/** Shows the previous state again without a message. */
export const removePendingDecision = (ids: readonly string[], revision: number): void =>
  update(ids, revision, () => undefined);

/** Drops the decisions that a reply loaded at the given revision contains; a refusal stays until the next decision. */
export function dropConfirmed(ids: readonly string[], loadedAtRevision: number): void {
  const confirmed = ids.filter((id) => {
    const entry = pending.get(id);
    return entry?.kind === 'saved' && entry.revision <= loadedAtRevision;
  });
  for (const id of confirmed) pending.delete(id);
  notifyListeners(confirmed);
}

/** Drops all decisions about these findings after an undo. */
export function discardDecisions(ids: readonly string[]): void {
  for (const id of ids) pending.delete(id);
  notifyListeners(ids);
}

function subscribe(id: string, listener: () => void): () => void {
  const ofFinding = listeners.get(id) ?? new Set();
  ofFinding.add(listener);
  listeners.set(id, ofFinding);
  return () => {
    ofFinding.delete(listener);
    if (ofFinding.size === 0) listeners.delete(id);
  };
}

/** The pending decision about a finding; only components that show this finding render again. */
export const usePendingDecision = (id: string): PendingDecision | undefined =>
  useSyncExternalStore(
    (listener) => subscribe(id, listener),
    () => pending.get(id),
  );
