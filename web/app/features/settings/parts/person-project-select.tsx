import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { findProjects } from '#web/foundation/api/project-queries.ts';
import { deployments } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { emptyResultMessage } from '#web/ui/picker/empty-result-message.ts';
import { filterByName } from '#web/ui/picker/filter-by-name.ts';

const MAX_SHOWN = 20;

interface SearchSelectProps {
  label: string;
  description?: string;
  /** The current choice; without it, the select is cleared after each choice. */
  value?: { id: string; name: string } | undefined;
  excluded?: (id: string) => boolean;
  error?: string | undefined;
  onPick: (id: string, name: string) => void;
}

interface Option {
  id: string;
  name: string;
}

type Find = (text: string, signal: AbortSignal) => Promise<Option[]>;

/** A select with a server-side search by name. */
function SearchSelect({ kind, find, ...props }: SearchSelectProps & { kind: string; find: Find }) {
  const { id: deploymentId } = useOrg();
  const { label, description, value, excluded = () => false, error, onPick } = props;
  const [text, setText] = useState('');
  const typed = text === value?.name ? '' : text.trim();
  const searchText = useDeferredValue(typed);
  const found = useQuery({
    queryKey: [deploymentId, 'settings', 'pick', kind, searchText],
    queryFn: ({ signal }) => find(searchText, signal),
    placeholderData: keepPreviousData,
  });
  const isSearching = found.isPlaceholderData || searchText !== typed;
  const available = (found.data ?? []).filter(({ id }) => !excluded(id));
  const options = isSearching ? filterByName(available, typed) : available;
  const isMissing = value && !options.some(({ id }) => id === value.id);
  return (
    <Select
      label={label}
      description={description}
      placeholder="Search by name"
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options: all }) => all}
      data={[...(isMissing ? [value] : []), ...options].map(({ id, name }) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      nothingFoundMessage={emptyResultMessage(found)}
      error={error}
      onChange={(id) => {
        const picked = options.find((option) => option.id === id);
        if (!picked) return;
        onPick(picked.id, picked.name);
        if (!value) setText('');
      }}
    />
  );
}

export function ProjectSelect(props: SearchSelectProps) {
  const { id: deploymentId } = useOrg();
  return <SearchSelect {...props} kind="project" find={(text, signal) => findProjects(deploymentId, text, signal)} />;
}

export function PersonSelect(props: SearchSelectProps) {
  const { id: deploymentId } = useOrg();
  const find: Find = async (query, signal) => {
    const body = { options: { pageSize: MAX_SHOWN }, filters: { query } };
    const { users } = await deployments.listDeploymentUsers({ path: { deploymentId }, body }, { signal });
    return users.map(({ id, name, email }) => ({ id, name: name === email ? email : `${name} (${email})` }));
  };
  return <SearchSelect {...props} kind="person" find={find} />;
}
