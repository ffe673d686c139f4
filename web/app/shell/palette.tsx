import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FolderGit2, Hash, Package, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { findingId, idLabel } from '#web/features/findings/model/finding-id.ts';
import { SETTINGS_SECTIONS } from '#web/features/settings/settings-sections.ts';
import { projects } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { NAVIGATION, START_PAGE } from './navigation.ts';

const [store, palette] = createSpotlight();

export const openPalette = (): void => palette.open();

/** Selects the first result, also when projects arrive later, so that Enter opens it. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

const MAX_PROJECTS = 6;

/** Filters actions by label and keywords, and keeps their order. */
function filterActions(query: string, actions: (SpotlightActionData | SpotlightActionGroupData)[]) {
  const searchText = query.trim().toLowerCase();
  return actions.filter(
    (action: SpotlightActionData) =>
      'actions' in action || `${action.label} ${action.keywords ?? ''}`.toLowerCase().includes(searchText),
  );
}

/** The command palette: pages, projects, findings by id, packages by version range, and settings. */
export function Palette() {
  const org = useOrg();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const searchText = useDeferredValue(text.trim());
  const go = (path: string) => () => void navigate({ to: `/o/${org.slug}/${path}` as '/' });
  const found = useQuery({
    queryKey: [org.id, 'palette', searchText],
    enabled: searchText.length > 1,
    queryFn: ({ signal }) =>
      projects.searchRepos(
        { path: { deploymentId: org.id }, body: { limit: String(MAX_PROJECTS), filters: { search: searchText } } },
        { signal },
      ),
  });
  const arrived = found.dataUpdatedAt;
  useEffect(() => {
    if (arrived > 0) selectFirst();
  }, [arrived]);
  const pages: SpotlightActionData[] = [...NAVIGATION, START_PAGE].map(({ name, path, icon: Icon }) => ({
    id: path,
    label: name,
    leftSection: <Icon size={18} />,
    onClick: go(path),
  }));
  const settings: SpotlightActionData[] = SETTINGS_SECTIONS.map(({ name, path, keywords }) => ({
    id: `settings/${path}`,
    label: `Settings: ${name}`,
    keywords,
    onClick: go(`settings/${path}`),
  }));
  const id = findingId(searchText);
  const projectActions: SpotlightActionData[] = (found.data?.repos ?? []).map((project) => ({
    id: `project/${project.id}`,
    label: project.name,
    keywords: searchText,
    leftSection: <FolderGit2 size={18} />,
    onClick: go(`projects/${project.id}`),
  }));
  const finding: SpotlightActionData[] =
    id === undefined
      ? []
      : [
          {
            id: 'issue',
            label: `Finding ${idLabel(id)}`,
            keywords: searchText,
            leftSection: <Hash size={18} />,
            onClick: go(`findings/${id}`),
          },
        ];
  const searches: SpotlightActionData[] =
    searchText === ''
      ? []
      : [
          {
            id: 'search-findings',
            label: `Findings with “${searchText}”`,
            keywords: searchText,
            leftSection: <Search size={18} />,
            onClick: () =>
              void navigate({ to: '/o/$slug/findings', params: { slug: org.slug }, search: { q: searchText } }),
          },
          {
            id: 'search-dependencies',
            label: `Projects that depend on “${searchText}”`,
            keywords: searchText,
            leftSection: <Package size={18} />,
            onClick: () =>
              void navigate({ to: '/o/$slug/dependencies', params: { slug: org.slug }, search: { q: searchText } }),
          },
        ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      filter={filterActions}
      // Direct matches come before searches, so that Enter opens the match.
      actions={[...finding, ...pages, ...(searchText === '' ? [] : projectActions), ...settings, ...searches]}
      nothingFound="No results."
      highlightQuery
      searchProps={{
        placeholder: 'Go to, or find a finding id, project or package@<range',
        leftSection: <Search size={18} />,
      }}
    />
  );
}
