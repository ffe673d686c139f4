import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { projectNamesQuery } from '#web/projects/queries.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { ProjectPicker } from '../parts/pickers.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { KeepOrRemove, MOST_SHOWN, ShownNote, type StagedKind, StagedWord } from './staged-word.tsx';
import { withProject } from './staging.ts';
import type { Editing } from './team-page.tsx';

interface Row {
  id: string;
  name: string;
  kind: StagedKind;
}

/** The projects of the team, as they will be. */
export function ProjectsTab({ loaded: { state }, staged, mayManage, stage }: Editing) {
  const { id: deploymentId, slug } = useOrg();
  const { search } = useSettingsSearch();
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useQuery(projectNamesQuery(deploymentId, [...state.projects]));
  if (names.isPending) return <LoadingRows rows={4} />;
  if (names.isError) return <ProblemView error={names.error} onRetry={() => void names.refetch()} />;
  const nameOf = (id: string) => names.data.get(id) ?? picked.get(id) ?? `Project ${id}`;
  const isAdded = (id: string) => staged.projects.get(id) === true && !state.projects.has(id);
  const added = [...staged.projects.keys()].filter(isAdded);
  const rows = [...added, ...state.projects].map((id): Row => {
    const isRemoved = staged.projects.get(id) === false;
    return { id, name: nameOf(id), kind: isAdded(id) ? 'added' : isRemoved ? 'removed' : 'same' };
  });
  const wanted = (search.q ?? '').toLowerCase();
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const columns: Column<Row>[] = [
    {
      name: 'Project',
      cell: ({ id, name, kind }) => (
        <span className={kind === 'removed' ? 'team-gone' : undefined}>
          <Link to="/o/$slug/projects/$projectId" params={{ slug, projectId: id }}>
            {name}
          </Link>
        </span>
      ),
    },
    { name: 'Change', cell: ({ kind }) => <StagedWord kind={kind} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: ({ id, name, kind }) => (
        <KeepOrRemove kind={kind} name={name} onClick={() => stage(withProject(staged, id, kind === 'removed'))} />
      ),
    },
  ];
  return (
    <>
      {mayManage && (
        <ProjectPicker
          label="Add a project"
          excluded={(id) => staged.projects.get(id) ?? state.projects.has(id)}
          onPick={(id, name) => {
            setPicked(new Map([...picked, [id, name]]));
            stage(withProject(staged, id, true));
          }}
        />
      )}
      {rows.length > 10 && <FilterBox label="Filter by name" />}
      {rows.length === 0 && <Empty title="No projects" why="The people of this team see no project through it." />}
      {shown.length > 0 && (
        <DataTable
          label="Projects"
          columns={mayManage ? columns : columns.slice(0, 1)}
          rows={shown.slice(0, MOST_SHOWN)}
          keyOf={({ id }) => id}
        />
      )}
      <ShownNote rows={rows.length} shown={shown.length} />
    </>
  );
}
