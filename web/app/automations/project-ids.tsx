import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { projects } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { projectNamesQuery } from '#web/projects/queries.ts';

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
  const search = useDeferredValue(typed.trim());
  const names = useQuery(projectNamesQuery(id, value)).data;
  const { data: found = [] } = useQuery({
    queryKey: [id, 'suggestions', 'project-ids', search],
    queryFn: async ({ signal }) => {
      const body = { filters: search === '' ? {} : { search }, limit: '50', cursor: '' };
      return (await projects.searchRepos({ path: { deploymentId: id }, body }, { signal })).repos;
    },
    placeholderData: (before) => before,
  });
  const options = new Map([
    ...value.map((one) => [one, names?.get(one) ?? one] as const),
    ...found.map((project) => [String(project.id), project.name] as const),
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
      nothingFoundMessage="No project has that name."
    />
  );
}
