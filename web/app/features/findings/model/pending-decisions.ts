import { useSyncExternalStore } from 'react';
import type { ProblemBody } from '#web/foundation/api/problem.ts';
import type { TriageState } from '#web/ui/badges/finding-state.ts';
import type { Decision } from './decision.ts';

/** A decision that is shown before the lists have heard of it; one that was refused says why. */
export interface PendingDecision {
  kind: 'saving' | 'saved' | 'refused';
  decision: Decision;
  problem?: ProblemBody;
  /** Orders decisions, and tells those that an answer knows of from those that came after it was asked for. */
  revision: number;
}

const decided = new Map<string, PendingDecision>();
const listeners = new Map<string, Set<() => void>>();
let turn = 0;

function changed(ids: readonly string[]): void {
  for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
}

/** The turn that it is now: ask before a request, hand it to `settle` with the answer. */
export const currentRevision = (): number => turn;

export const pendingDecisionOf = (id: string): PendingDecision | undefined => decided.get(id);

/** The state that a decision, made after that turn, gives a finding: one that was refused gives none. */
export const pendingState = (entry: PendingDecision | undefined, since = 0): TriageState | undefined =>
  entry !== undefined && entry.kind !== 'refused' && entry.revision > since ? entry.decision.state : undefined;

/** Shows a decision at once; the number tells it from later ones. */
export function addPendingDecision(ids: readonly string[], decision: Decision): number {
  turn++;
  for (const id of ids) decided.set(id, { kind: 'saving', decision, revision: turn });
  changed(ids);
  return turn;
}

function update(
  ids: readonly string[],
  of: number,
  next: (before: PendingDecision) => PendingDecision | undefined,
): void {
  const own = ids.filter((id) => decided.get(id)?.revision === of);
  for (const id of own) {
    const before = decided.get(id);
    const after = before && next(before);
    if (after) decided.set(id, after);
    else decided.delete(id);
  }
  changed(own);
}

/** From now on, answers of the server know of it. */
export function markSaved(ids: readonly string[], of: number): void {
  turn++;
  const now = turn;
  update(ids, of, (before) => ({ ...before, kind: 'saved', revision: now }));
}

/** Back to what it was, with the reason beside it. */
export const markRefused = (ids: readonly string[], of: number, problem: ProblemBody): void =>
  update(ids, of, (before) => ({ ...before, kind: 'refused', problem }));

/** Back to what it was, without a word: what was decided is not so, or not yet. */
export const removePendingDecision = (ids: readonly string[], of: number): void => update(ids, of, () => undefined);

/** Forgets decisions that an answer, asked for at that turn, already knows of. */
export function dropConfirmed(ids: readonly string[], askedAt: number): void {
  const known = ids.filter((id) => {
    const entry = decided.get(id);
    return entry !== undefined && entry.kind !== 'saving' && entry.revision <= askedAt;
  });
  for (const id of known) decided.delete(id);
  changed(known);
}

/** Forgets everything about these findings: what was done to them was taken back. */
export function discardDecisions(ids: readonly string[]): void {
  for (const id of ids) decided.delete(id);
  changed(ids);
}

function subscribe(id: string, listener: () => void): () => void {
  const own = listeners.get(id) ?? new Set();
  own.add(listener);
  listeners.set(id, own);
  return () => {
    own.delete(listener);
    if (own.size === 0) listeners.delete(id);
  };
}

/** What was decided about a finding since the page asked for it; only those who show that finding render again. */
export const usePendingDecision = (id: string): PendingDecision | undefined =>
  useSyncExternalStore(
    (listener) => subscribe(id, listener),
    () => decided.get(id),
  );
