import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { useProjectSearch } from '#web/ui/projects/use-project-search.ts';

interface ProjectNamesSelectProps {
  label?: string;
  description?: string;
  value: string[];
  error?: string | undefined;
  isDisabled?: boolean;
  onChange: (names: string[]) => void;
}

/** Selects projects by name with a server-side search. */
export function ProjectNamesSelect({
  label = 'Projects',
  description,
  value,
  error,
  isDisabled = false,
  onChange,
}: ProjectNamesSelectProps) {
  const [typed, setTyped] = useState('');
  const { found, nothingFound } = useProjectSearch(typed);
  return (
    <MultiSelect
      label={label}
      description={description}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      disabled={isDisabled}
      data={[...new Set([...value, ...found.map(({ name }) => name)])]}
      value={value}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage={nothingFound}
    />
  );
}
