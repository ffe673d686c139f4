import { getRouteApi } from '@tanstack/react-router';
import type { settingsSearch } from './search.ts';

const route = getRouteApi('/o/$slug/settings/{-$section}/{-$item}');

export type SettingsSearch = ReturnType<typeof settingsSearch>;

/** Reads and changes the search parameters of a settings page; `isTyping` replaces the history entry. */
export function useSettingsSearch() {
  const search = route.useSearch();
  const { item } = route.useParams();
  const navigate = route.useNavigate();
  return {
    search,
    item,
    update: (change: { [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }, isTyping = false) =>
      void navigate({
        search: (before) => withoutEmpty({ ...before, ...change }),
        replace: isTyping,
        resetScroll: false,
      }),
    open: (next: string | undefined) => void navigate({ params: (before) => ({ ...before, item: next }), search: {} }),
  };
}

function withoutEmpty(search: { [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }): SettingsSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}
