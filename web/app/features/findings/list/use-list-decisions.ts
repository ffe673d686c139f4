import { useState } from 'react';
import type { BulkDecision } from '../bulk/bulk-preview.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { Decision } from '../model/decision.ts';
import type { FindingRow } from '../model/finding-row.ts';
import { pendingDecisionOf, pendingState } from '../model/pending-decisions.ts';
import type { TriageActions } from '../triage/use-triage.ts';

/** Decisions about this many findings or more need a confirmation. */
const MIN_CONFIRMED = 100;

export interface ListDecisions {
  /** The selected findings, else the one under the cursor. */
  targets: () => readonly string[];
  decide: (decision: Decision) => void;
  isProvisional: () => boolean;
  /** A bulk decision that waits for confirmation. */
  bulk: BulkDecision | undefined;
  cancel: () => void;
  done: () => void;
}

interface ListDecisionsInput {
  list: SelectionModel;
  rows: readonly FindingRow[];
  /** The finding in the panel, which may be missing from the list. */
  at: string | undefined;
  triage: TriageActions['triage'];
}

/** Applies decisions to the selected findings: a few at once, many after a confirmation. */
export function useListDecisions({ list, rows, at, triage }: ListDecisionsInput): ListDecisions {
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
    else if (ids.length >= MIN_CONFIRMED) setBulk({ decision, ids });
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
