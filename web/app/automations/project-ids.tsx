import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { projectNamesQuery } from '#web/projects/queries.ts';
import { useFoundProjects } from '#web/projects/use-found-projects.ts';

interface ProjectIdsProps {
  label: string;
  value: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Projects by name; what is kept are their ids. */
export function ProjectIds({ label, value, error, onChange }: ProjectIdsProps) {
  const { id } = useOrg();
  const [typed, setTyped] = useState('');
  const names = useQuery(projectNamesQuery(id, value)).data;
  const { found, nothingFound } = useFoundProjects(typed);
  const options = new Map([
    ...value.map((one) => [one, names?.get(one) ?? one] as const),
    ...found.map((project) => [project.id, project.name] as const),
  ]);
  return (
    <MultiSelect
      aria-label={label}
      searchable
      data={[...options].map(([one, name]) => ({ value: one, label: name }))}
      value={value}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage={nothingFound}
    />
  );
}
