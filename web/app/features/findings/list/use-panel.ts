import { useCallback, useEffect, useRef } from 'react';
import type { SelectionModel } from '../grid/selection-model.ts';
import { findingId } from '../model/finding-id.ts';
import type { FindingsListView } from './use-list-view.ts';

const FOLLOW_MS = 150;

/** The panel beside the list: opened from a row, it follows the cursor after a short delay. */
export function usePanel({ search, change }: Pick<FindingsListView, 'search' | 'change'>, list: SelectionModel) {
  const { at } = search;
  const isOpen = at !== undefined;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (at !== undefined) list.activate(at);
    return () => clearTimeout(timer.current);
  }, [at, list]);
  const open = useCallback(
    (id: string) => {
      list.activate(id);
      change({ at: id }, isOpen);
    },
    [list, change, isOpen],
  );
  const follow = useCallback(
    (id: string) => {
      clearTimeout(timer.current);
      if (findingId(id) !== undefined) timer.current = setTimeout(() => change({ at: id }, true), FOLLOW_MS);
    },
    [change],
  );
  const close = useCallback(() => {
    clearTimeout(timer.current);
    change({ at: undefined });
  }, [change]);
  return { isOpen, open, close, follow };
}
