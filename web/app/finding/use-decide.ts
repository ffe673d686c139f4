import { useDecided } from '#web/findings/decided.ts';
import type { Decision } from '#web/findings/decision.ts';
import { useTriage } from '#web/findings/triage.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { type FindingState, findingStateOf } from '#web/parts/finding-state.ts';
import { closeIgnoreForm, openIgnoreForm } from './ignore-form-store.ts';
import type { Issue } from './queries.ts';

export type OnTriage = (issueId: string, decision: Decision) => void;

/** What the finding is, with what was decided since it was asked for. */
export function useStateOf(issue: Issue): FindingState {
  const decided = useDecided(issue.id);
  const isNewer = decided !== undefined && decided.kind !== 'refused' && decided.turn > issue.askedAt;
  return isNewer ? decided.decision.state : findingStateOf(issue);
}

/** Decides about one finding and tells whoever shows it. */
export function useDecide(issueId: string, onTriage?: OnTriage): (decision: Decision) => void {
  const { triage } = useTriage();
  return (decision) => {
    closeIgnoreForm();
    void triage([issueId], decision);
    onTriage?.(issueId, decision);
  };
}

/** What agreeing with a machine that would ignore it means. */
export const AGREED: Decision = { state: 'ignored', reason: 'false_positive' };

/** The keys of triage for the finding that is shown. */
export function useDecisionKeys(issueId: string | undefined, decide: (decision: Decision) => void): void {
  const handlers = {
    setOpen: () => decide({ state: 'open' }),
    setReviewing: () => decide({ state: 'reviewing' }),
    setFixing: () => decide({ state: 'fixing' }),
    ignoreFalsePositive: () => decide({ state: 'ignored', reason: 'false_positive' }),
    ignoreAcceptableRisk: () => decide({ state: 'ignored', reason: 'acceptable_risk' }),
    ignoreNoTime: () => decide({ state: 'ignored', reason: 'no_time' }),
    ignoreWithComment: () => openIgnoreForm(issueId ?? ''),
    agree: () => decide(AGREED),
    disagree: () => decide({ state: 'open' }),
  };
  useKeys(issueId === undefined ? {} : handlers);
}
