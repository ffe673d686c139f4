import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { useProjectSearch } from '#web/ui/projects/use-project-search.ts';

interface ProjectIdsSelectProps {
  label: string;
  value: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Selects projects by name; the value is their ids. */
export function ProjectIdsSelect({ label, value, error, onChange }: ProjectIdsSelectProps) {
  const { id: deploymentId } = useOrg();
  const [typed, setTyped] = useState('');
  const names = useQuery(projectNamesQuery(deploymentId, value)).data;
  const { found, nothingFound } = useProjectSearch(typed);
  const options = new Map([
    ...value.map((id) => [id, names?.get(id) ?? id] as const),
    ...found.map((project) => [project.id, project.name] as const),
  ]);
  return (
    <MultiSelect
      aria-label={label}
      searchable
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
      nothingFoundMessage={nothingFound}
    />
  );
}
