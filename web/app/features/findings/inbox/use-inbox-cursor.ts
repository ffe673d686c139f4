import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { idAtOffset, nextIdAfterRemoval } from './inbox-tabs.ts';

const route = getRouteApi('/o/$slug/inbox');
const WIDE = '(min-width: 1200px)';
/** The URL follows the cursor after this delay. */
const URL_DELAY_MS = 200;

export interface InboxCursor {
  /** The finding that shortcuts act on. */
  id: string | undefined;
  /** The finding in the panel. */
  shown: string | undefined;
  /** A stable function, so that memoized rows do not render again. */
  choose: (id: string) => void;
  move: (by: number) => void;
  /** Moves to the next finding if the current one was removed. */
  skipRemoved: (id: string) => void;
  close: () => void;
}

/** Writes the finding into the URL, at once or after a delay. */
function useUrlWriter() {
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

/** The cursor of the inbox; on wide screens a finding is shown unless the panel was closed. */
export function useInboxCursor(ids: readonly string[]): InboxCursor {
  const { at } = route.useSearch();
  const isWide = useMediaQuery(WIDE, matchMedia(WIDE).matches) === true;
  const [cursor, setCursor] = useState(at);
  const [knownAt, setKnownAt] = useState(at);
  const [isClosed, setIsClosed] = useState(false);
  const writeUrl = useUrlWriter();
  // Back and forward change the URL only, so the cursor follows it.
  if (at !== knownAt) {
    setKnownAt(at);
    if (at !== undefined) setCursor(at);
  }
  const id = cursor !== undefined && (ids.includes(cursor) || cursor === at) ? cursor : ids[0];
  const isOpen = isWide ? !isClosed : at !== undefined;
  const moveTo = (next: string | undefined) => {
    setCursor(next);
    setIsClosed(false);
    if (isWide || at !== undefined) writeUrl(next, { replace: true, waitMs: URL_DELAY_MS });
  };
  const choose = useCallback(
    (next: string) => {
      setCursor(next);
      setIsClosed(false);
      writeUrl(next, { replace: false, waitMs: 0 });
    },
    [writeUrl],
  );
  return {
    id,
    shown: isOpen ? id : undefined,
    choose,
    move: (by) => moveTo(idAtOffset(ids, id, by)),
    skipRemoved: (removed) => {
      if (removed === id) moveTo(nextIdAfterRemoval(ids, removed));
    },
    close: () => {
      setIsClosed(true);
      writeUrl(undefined, { replace: true, waitMs: 0 });
    },
  };
}
