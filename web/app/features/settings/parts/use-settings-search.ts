import { getRouteApi } from '@tanstack/react-router';
import type { settingsSearch } from './search.ts';

const route = getRouteApi('/o/$slug/settings/{-$section}/{-$item}');

export type SettingsSearch = ReturnType<typeof settingsSearch>;

/** What the address says of the settings page, and how to change it: `isTyping` keeps the history short. */
export function useSettingsSearch() {
  const search = route.useSearch();
  const { item } = route.useParams();
  const navigate = route.useNavigate();
  return {
    search,
    item,
    put: (change: { [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }, isTyping = false) =>
      void navigate({
        search: (before) => without({ ...before, ...change }),
        replace: isTyping,
        resetScroll: false,
      }),
    open: (next: string | undefined) => void navigate({ params: (before) => ({ ...before, item: next }), search: {} }),
  };
}

function without(given: { [Name in keyof SettingsSearch]: SettingsSearch[Name] | undefined }): SettingsSearch {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}
