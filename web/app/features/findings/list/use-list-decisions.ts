import { useState } from 'react';
import type { BulkDecision } from '../bulk/bulk-preview.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { Decision } from '../model/decision.ts';
import type { FindingRow } from '../model/finding-row.ts';
import { pendingDecisionOf, pendingState } from '../model/pending-decisions.ts';
import type { TriageActions } from '../triage/use-triage.ts';

/** From so many on, what would change is shown before it does. */
const MANY = 100;

export interface ListDecisions {
  /** What a decision is about: what is selected, else the line that one is on. */
  targets: () => readonly string[];
  decide: (decision: Decision) => void;
  isProvisional: () => boolean;
  /** A decision about many that waits for a yes. */
  bulk: BulkDecision | undefined;
  cancel: () => void;
  done: () => void;
}

interface Decided {
  list: SelectionModel;
  rows: readonly FindingRow[];
  /** The finding beside the list, which need not be in it. */
  at: string | undefined;
  triage: TriageActions['triage'];
}

/** Decides about the lines of a list: one at once, many after a look at what that would touch. */
export function useListDecisions({ list, rows, at, triage }: Decided): ListDecisions {
  const [bulk, setBulk] = useState<BulkDecision>();
  const targets = () => {
    const { ids } = list.selection;
    const shown = new Set(rows.map(({ id }) => id));
    if (ids.length > 0) return ids.filter((id) => shown.has(id));
    return list.active === at || shown.has(list.active) ? [list.active] : [];
  };
  const decide = (decision: Decision) => {
    const ids = targets();
    if (list.selection.isAll) setBulk({ decision });
    else if (ids.length >= MANY) setBulk({ decision, ids });
    else {
      void triage(ids, decision);
      list.clear();
    }
  };
  const isProvisional = () => {
    const [id = ''] = targets();
    const state = pendingState(pendingDecisionOf(id)) ?? rows.find((row) => row.id === id)?.state;
    return state === 'provisional';
  };
  return {
    targets,
    decide,
    isProvisional,
    bulk,
    cancel: () => setBulk(undefined),
    done: () => {
      setBulk(undefined);
      list.clear();
    },
  };
}
