import { useCallback, useEffect, useRef } from 'react';
import { lineId } from './kinds.ts';
import type { ListState } from './list-state.ts';
import type { Place } from './place.ts';

const FOLLOW_MS = 150;

/** The finding beside the list: opened from a line, and following the line that one stays on for a moment. */
export function usePanel({ search, change }: Pick<Place, 'search' | 'change'>, list: ListState) {
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
      if (lineId(id) !== undefined) timer.current = setTimeout(() => change({ at: id }, true), FOLLOW_MS);
    },
    [change],
  );
  const close = useCallback(() => {
    clearTimeout(timer.current);
    change({ at: undefined });
  }, [change]);
  return { isOpen, open, close, follow };
}
