import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { findProjects } from '#web/foundation/api/project-queries.ts';
import { deployments } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { emptyResultMessage } from '#web/ui/picker/empty-result-message.ts';
import { filterByName } from '#web/ui/picker/filter-by-name.ts';

const SHOWN = 20;

interface PickerProps {
  label: string;
  description?: string;
  /** What is chosen, where the choice stays; the picker is empty again after each choice else. */
  value?: { id: string; name: string } | undefined;
  excluded?: (id: string) => boolean;
  error?: string | undefined;
  onPick: (id: string, name: string) => void;
}

interface Found {
  id: string;
  name: string;
}

type Find = (text: string, signal: AbortSignal) => Promise<Found[]>;

/** Finds one thing by a part of its name, on the server, however many there are. */
function Picker({ kind, find, ...props }: PickerProps & { kind: string; find: Find }) {
  const { id: deploymentId } = useOrg();
  const { label, description, value, excluded = () => false, error, onPick } = props;
  const [text, setText] = useState('');
  const typed = text === value?.name ? '' : text.trim();
  const wanted = useDeferredValue(typed);
  const found = useQuery({
    queryKey: [deploymentId, 'settings', 'pick', kind, wanted],
    queryFn: ({ signal }) => find(wanted, signal),
    placeholderData: keepPreviousData,
  });
  const isLooking = found.isPlaceholderData || wanted !== typed;
  const offered = (found.data ?? []).filter(({ id }) => !excluded(id));
  const options = isLooking ? filterByName(offered, typed) : offered;
  const isMissing = value && !options.some(({ id }) => id === value.id);
  return (
    <Select
      label={label}
      description={description}
      placeholder="Type a part of the name"
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

export function ProjectSelect(props: PickerProps) {
  const { id: deploymentId } = useOrg();
  return <Picker {...props} kind="project" find={(text, signal) => findProjects(deploymentId, text, signal)} />;
}

export function PersonSelect(props: PickerProps) {
  const { id: deploymentId } = useOrg();
  const find: Find = async (query, signal) => {
    const body = { options: { pageSize: SHOWN }, filters: { query } };
    const { users } = await deployments.listDeploymentUsers({ path: { deploymentId }, body }, { signal });
    return users.map(({ id, name, email }) => ({ id, name: name === email ? email : `${name} (${email})` }));
  };
  return <Picker {...props} kind="person" find={find} />;
}
