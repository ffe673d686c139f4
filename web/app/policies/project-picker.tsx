import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { projects } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';

interface ProjectPickerProps {
  label?: string;
  description?: string;
  value: string[];
  error?: string | undefined;
  isDisabled?: boolean;
  onChange: (names: string[]) => void;
}

const FEW = '50';

/** Projects by name, found as one types. */
export function ProjectPicker({
  label = 'Projects',
  description,
  value,
  error,
  isDisabled = false,
  onChange,
}: ProjectPickerProps) {
  const { id } = useOrg();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const { data = [] } = useQuery({
    queryKey: [id, 'suggestions', 'projects', search],
    queryFn: async ({ signal }) => {
      const body = { filters: search === '' ? {} : { search }, limit: FEW, cursor: '' };
      const { repos } = await projects.searchRepos({ path: { deploymentId: id }, body }, { signal });
      return repos.map(({ name }) => name);
    },
    placeholderData: (before) => before,
  });
  return (
    <MultiSelect
      label={label}
      description={description}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      disabled={isDisabled}
      data={[...new Set([...value, ...data])]}
      value={value}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage="No project has that name."
    />
  );
}
