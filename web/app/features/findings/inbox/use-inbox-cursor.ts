import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { idAtOffset, nextIdAfterRemoval } from './inbox-tabs.ts';

const route = getRouteApi('/o/$slug/inbox');
const WIDE = '(min-width: 1200px)';
/** The address follows when the person rests on a finding. */
const REST_MS = 200;

export interface InboxCursor {
  /** The finding that keys act on. */
  id: string | undefined;
  /** The finding beside the list, or over it where there is no room. */
  shown: string | undefined;
  /** Stays the same function, so that rows need not be drawn again. */
  choose: (id: string) => void;
  move: (by: number) => void;
  /** Goes on to what takes the place of the chosen one, if it is that which left. */
  skipRemoved: (id: string) => void;
  close: () => void;
}

/** Writes the finding into the address: at once, or when the person rests on it. */
function useAddress() {
  const navigate = route.useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (next: string | undefined, { replace, waitMs }: { replace: boolean; waitMs: number }) => {
      const write = () =>
        void navigate({
          search: ({ at: _, ...kept }) => (next === undefined ? kept : { ...kept, at: next }),
          replace,
          resetScroll: false,
        });
      clearTimeout(timer.current);
      if (waitMs === 0) write();
      else timer.current = setTimeout(write, waitMs);
    },
    [navigate],
  );
}

/** Which finding of a list is shown: where there is room, one always is. */
export function useInboxCursor(ids: readonly string[]): InboxCursor {
  const { at } = route.useSearch();
  const isWide = useMediaQuery(WIDE, matchMedia(WIDE).matches) === true;
  const [cursor, setCursor] = useState(at);
  const [known, setKnown] = useState(at);
  const [isShut, setIsShut] = useState(false);
  const address = useAddress();
  // Back and forward change the address alone, and the cursor has to follow.
  if (at !== known) {
    setKnown(at);
    if (at !== undefined) setCursor(at);
  }
  const id = cursor !== undefined && (ids.includes(cursor) || cursor === at) ? cursor : ids[0];
  const isOpen = isWide ? !isShut : at !== undefined;
  const point = (next: string | undefined) => {
    setCursor(next);
    setIsShut(false);
    if (isWide || at !== undefined) address(next, { replace: true, waitMs: REST_MS });
  };
  const choose = useCallback(
    (next: string) => {
      setCursor(next);
      setIsShut(false);
      address(next, { replace: false, waitMs: 0 });
    },
    [address],
  );
  return {
    id,
    shown: isOpen ? id : undefined,
    choose,
    move: (by) => point(idAtOffset(ids, id, by)),
    skipRemoved: (gone) => {
      if (gone === id) point(nextIdAfterRemoval(ids, gone));
    },
    close: () => {
      setIsShut(true);
      address(undefined, { replace: true, waitMs: 0 });
    },
  };
}
