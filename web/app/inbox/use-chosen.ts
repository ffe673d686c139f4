import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { idAfter, idFrom } from './tabs.ts';

const route = getRouteApi('/o/$slug/inbox');
const WIDE = '(min-width: 1200px)';

export interface Chosen {
  /** The finding that keys act on. */
  id: string | undefined;
  /** The finding beside the list, or over it where there is no room. */
  shown: string | undefined;
  choose: (id: string) => void;
  move: (by: number) => void;
  /** Goes on to what takes the place of one that left. */
  leave: (id: string) => void;
  close: () => void;
}

/** Which finding of a list is shown: where there is room, one always is. */
export function useChosen(ids: readonly string[]): Chosen {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const isWide = useMediaQuery(WIDE, matchMedia(WIDE).matches) === true;
  const [cursor, setCursor] = useState<string>();
  const [isShut, setIsShut] = useState(false);
  const id = at ?? (cursor !== undefined && ids.includes(cursor) ? cursor : ids[0]);
  const show = (next: string | undefined, isReplaced: boolean) =>
    void navigate({
      search: ({ at: _, ...kept }) => (next === undefined ? kept : { ...kept, at: next }),
      replace: isReplaced,
      resetScroll: false,
    });
  const point = (next: string | undefined) => {
    setCursor(next);
    setIsShut(false);
    if (isWide || at !== undefined) show(next, true);
  };
  return {
    id,
    shown: at ?? (isWide && !isShut ? id : undefined),
    choose: (next) => {
      setCursor(next);
      setIsShut(false);
      show(next, at !== undefined);
    },
    move: (by) => point(idFrom(ids, id, by)),
    leave: (gone) => point(idAfter(ids, gone)),
    close: () => {
      setCursor(at);
      setIsShut(true);
      show(undefined, true);
    },
  };
}
