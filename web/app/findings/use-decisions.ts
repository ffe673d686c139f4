import { useState } from 'react';
import type { Bulk } from './bulk.ts';
import { decidedOf, stateBy } from './decided.ts';
import type { Decision } from './decision.ts';
import type { ListState } from './list-state.ts';
import type { Row } from './row.ts';
import type { Triage } from './triage.ts';

/** From so many on, what would change is shown before it does. */
const MANY = 100;

export interface Decisions {
  /** What a decision is about: what is selected, else the line that one is on. */
  targets: () => readonly string[];
  decide: (decision: Decision) => void;
  isProvisional: () => boolean;
  /** A decision about many that waits for a yes. */
  bulk: Bulk | undefined;
  cancel: () => void;
  done: () => void;
}

interface Decided {
  list: ListState;
  rows: readonly Row[];
  /** The finding beside the list, which need not be in it. */
  at: string | undefined;
  triage: Triage['triage'];
}

/** Decides about the lines of a list: one at once, many after a look at what that would touch. */
export function useDecisions({ list, rows, at, triage }: Decided): Decisions {
  const [bulk, setBulk] = useState<Bulk>();
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
    const state = stateBy(decidedOf(id)) ?? rows.find((row) => row.id === id)?.state;
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
