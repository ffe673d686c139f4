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

/** Enter takes the first that is shown, also when projects arrive after the first letters. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}

const FEW = 6;

/** Those that have the words, in the order in which they are given. */
function keepNamed(query: string, actions: (SpotlightActionData | SpotlightActionGroupData)[]) {
  const wanted = query.trim().toLowerCase();
  return actions.filter(
    (action: SpotlightActionData) =>
      'actions' in action || `${action.label} ${action.keywords ?? ''}`.toLowerCase().includes(wanted),
  );
}

/** Finds pages, projects, findings by id, packages by range, and settings; everything by keyboard. */
export function Palette() {
  const org = useOrg();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const go = (path: string) => () => void navigate({ to: `/o/${org.slug}/${path}` as '/' });
  const found = useQuery({
    queryKey: [org.id, 'palette', wanted],
    enabled: wanted.length > 1,
    queryFn: ({ signal }) =>
      projects.searchRepos(
        { path: { deploymentId: org.id }, body: { limit: String(FEW), filters: { search: wanted } } },
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
  const settings: SpotlightActionData[] = SETTINGS_SECTIONS.map(({ name, path, words }) => ({
    id: `settings/${path}`,
    label: `Settings: ${name}`,
    keywords: words,
    onClick: go(`settings/${path}`),
  }));
  const id = findingId(wanted);
  const named: SpotlightActionData[] = (found.data?.repos ?? []).map((project) => ({
    id: `project/${project.id}`,
    label: project.name,
    keywords: wanted,
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
            keywords: wanted,
            leftSection: <Hash size={18} />,
            onClick: go(`findings/${id}`),
          },
        ];
  const searches: SpotlightActionData[] =
    wanted === ''
      ? []
      : [
          {
            id: 'search-findings',
            label: `Findings with “${wanted}”`,
            keywords: wanted,
            leftSection: <Search size={18} />,
            onClick: () =>
              void navigate({ to: '/o/$slug/findings', params: { slug: org.slug }, search: { q: wanted } }),
          },
          {
            id: 'search-dependencies',
            label: `Who depends on “${wanted}”?`,
            keywords: wanted,
            leftSection: <Package size={18} />,
            onClick: () =>
              void navigate({ to: '/o/$slug/dependencies', params: { slug: org.slug }, search: { q: wanted } }),
          },
        ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      filter={keepNamed}
      // What has the name comes before what searches for it, so that Enter goes there.
      actions={[...finding, ...pages, ...(wanted === '' ? [] : named), ...settings, ...searches]}
      nothingFound="Nothing has that name."
      highlightQuery
      searchProps={{
        placeholder: 'Go to, or find an id, a project, a package@<range',
        leftSection: <Search size={18} />,
      }}
    />
  );
}
