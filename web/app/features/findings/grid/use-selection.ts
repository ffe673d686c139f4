import { useCallback, useSyncExternalStore } from 'react';
import type { ListSelection, SelectionModel } from './selection-model.ts';

/** Whether a row has the cursor and is selected; a change renders this row only. */
export function useLineState(list: SelectionModel, id: string): { isActive: boolean; isSelected: boolean } {
  const subscribe = useCallback((listener: () => void) => list.subscribeTo(id, listener), [list, id]);
  const isActive = useSyncExternalStore(subscribe, () => list.isActive(id));
  const isSelected = useSyncExternalStore(subscribe, () => list.isSelected(id));
  return { isActive, isSelected };
}

export const useSelection = (list: SelectionModel): ListSelection =>
  useSyncExternalStore(list.subscribe, () => list.selection);
