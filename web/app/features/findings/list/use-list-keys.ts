import type { RefObject } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { GridHandle } from '../grid/grid.tsx';
import type { ListItem } from '../grid/list-items.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { Decision } from '../model/decision.ts';
import { triageShortcuts } from '../triage/triage-shortcuts.ts';

interface ListKeys {
  list: SelectionModel;
  grid: RefObject<GridHandle | null>;
  items: readonly ListItem[];
  canSelectAll: boolean;
  onOpen: (id: string) => void;
  onOpenPage: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onBack: () => void;
  onDecide: (decision: Decision) => void;
  /** Opens the ignore form. */
  onIgnore: () => void;
  /** Whether the finding under the cursor is provisionally ignored. */
  isProvisional: () => boolean;
}

/** The keyboard shortcuts of the list; each has a control on the page too. */
export function useListKeys(keys: ListKeys): void {
  const { list, grid, items, onDecide } = keys;
  const { may } = useOrg();
  const rowIds = () => items.flatMap((item) => (item.kind === 'row' ? [item.id] : []));
  const isRow = (id: string) => items.some((item) => item.kind === 'row' && item.id === id);
  const withActive = (act: (id: string) => void) => () => {
    if (isRow(list.active)) act(list.active);
  };
  useShortcuts({
    next: () => grid.current?.move(1),
    previous: () => grid.current?.move(-1),
    open: () => {
      const item = items.find(({ id }) => id === list.active);
      if (item?.kind === 'group') keys.onToggleGroup(item.group.key);
      else if (item?.kind === 'row') keys.onOpen(item.id);
    },
    openPage: withActive(keys.onOpenPage),
    select: withActive((id) => list.toggle(id)),
    selectRange: withActive((id) => list.selectUpTo(id, isRow)),
    selectAll: () => list.selectAll(rowIds(), keys.canSelectAll),
    back: keys.onBack,
  });
  const triage = triageShortcuts({ decide: onDecide, openForm: keys.onIgnore, isProvisional: keys.isProvisional });
  useShortcuts(may('issue:triage') ? triage : {});
}
