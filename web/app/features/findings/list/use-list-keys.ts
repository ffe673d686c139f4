import type { RefObject } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { GridHandle } from '../grid/grid.tsx';
import type { ListItem } from '../grid/list-items.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { Decision } from '../model/decision.ts';

interface ListKeys {
  list: SelectionModel;
  grid: RefObject<GridHandle | null>;
  items: readonly ListItem[];
  canBeAll: boolean;
  onOpen: (id: string) => void;
  onOpenPage: (id: string) => void;
  onToggleGroup: (key: string) => void;
  onBack: () => void;
  onDecide: (decision: Decision) => void;
  /** Opens the form; where there is none, its key is not bound. */
  onIgnore?: () => void;
  /** Whether the machine would ignore the finding that one is on. */
  isProvisional: () => boolean;
}

/** The keys of a list of findings; each is also a control on the page. */
export function useListKeys(keys: ListKeys): void {
  const { list, grid, items, onDecide } = keys;
  const { may } = useOrg();
  const rowIds = () => items.flatMap((item) => (item.kind === 'row' ? [item.id] : []));
  const isRow = (id: string) => items.some((item) => item.kind === 'row' && item.id === id);
  const withActive = (act: (id: string) => void) => () => {
    if (isRow(list.active)) act(list.active);
  };
  const agree = (decision: Decision) => () =>
    keys.isProvisional() ? onDecide(decision) : notify('This one is not provisionally ignored.');
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
    selectAll: () => list.selectAll(rowIds(), keys.canBeAll),
    back: keys.onBack,
  });
  const decisions = {
    setOpen: () => onDecide({ state: 'open' }),
    setReviewing: () => onDecide({ state: 'reviewing' }),
    setFixing: () => onDecide({ state: 'fixing' }),
    ignoreFalsePositive: () => onDecide({ state: 'ignored', reason: 'false_positive' }),
    ignoreAcceptableRisk: () => onDecide({ state: 'ignored', reason: 'acceptable_risk' }),
    ignoreNoTime: () => onDecide({ state: 'ignored', reason: 'no_time' }),
    ...(keys.onIgnore && { ignoreWithComment: keys.onIgnore }),
    agree: agree({ state: 'ignored', reason: 'false_positive' }),
    disagree: agree({ state: 'open' }),
  } as const;
  useShortcuts(may('issue:triage') ? decisions : {});
}
