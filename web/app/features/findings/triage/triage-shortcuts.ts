import { notify } from '#web/foundation/notify/notify.ts';
import type { Decision } from '../model/decision.ts';
import { openAssignDialog, ownAssignee } from './assign-store.ts';

/** The decision when a person confirms a provisional ignore. */
export const CONFIRMED_FALSE_POSITIVE: Decision = { state: 'ignored', reason: 'false_positive' };

interface TriageTarget {
  decide: (decision: Decision) => void;
  openForm: () => void;
  isProvisional: () => boolean;
}

/** The handlers of the triage shortcuts, for one finding or a selection. */
export function triageShortcuts({ decide, openForm, isProvisional }: TriageTarget) {
  const ifProvisional = (decision: Decision) => () =>
    isProvisional() ? decide(decision) : notify('This finding is not provisionally ignored.');
  return {
    setOpen: () => decide({ state: 'open' }),
    setReviewing: () => decide({ state: 'reviewing' }),
    setFixing: () => decide({ state: 'fixing' }),
    ignoreFalsePositive: () => decide({ state: 'ignored', reason: 'false_positive' }),
    ignoreAcceptableRisk: () => decide({ state: 'ignored', reason: 'acceptable_risk' }),
    ignoreNoTime: () => decide({ state: 'ignored', reason: 'no_time' }),
    ignoreWithComment: openForm,
    assign: () => openAssignDialog((assignee) => decide({ assignee })),
    assignToMe: () => decide({ assignee: ownAssignee() }),
    agree: ifProvisional(CONFIRMED_FALSE_POSITIVE),
    disagree: ifProvisional({ state: 'open' }),
  } as const;
}
