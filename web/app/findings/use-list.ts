import { useCallback, useSyncExternalStore } from 'react';
import type { ListState, Selection } from './list-state.ts';

/** Whether a line is the one that somebody is on, and whether it is selected; only that line renders again. */
export function useLine(list: ListState, id: string): { isActive: boolean; isSelected: boolean } {
  const subscribe = useCallback((listener: () => void) => list.subscribeTo(id, listener), [list, id]);
  const isActive = useSyncExternalStore(subscribe, () => list.isActive(id));
  const isSelected = useSyncExternalStore(subscribe, () => list.isSelected(id));
  return { isActive, isSelected };
}

export const useSelection = (list: ListState): Selection => useSyncExternalStore(list.subscribe, () => list.selection);
