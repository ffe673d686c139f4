import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { ProjectSelect } from '../parts/person-project-select.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { withProject } from './model/team-edits.ts';
import type { TeamTabProps } from './model/team-tab-props.ts';
import { KeepOrRemove, MAX_ROWS_SHOWN, type RowChange, RowCountNote, StagedChange } from './staged-change.tsx';

interface Row {
  id: string;
  name: string;
  kind: RowChange;
}

/** The projects of the team, with unsaved edits applied. */
export function ProjectsTab({ loaded: { state }, edits, canManage, onEdit }: TeamTabProps) {
  const { id: deploymentId, slug } = useOrg();
  const { search } = useSettingsSearch();
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const names = useQuery(projectNamesQuery(deploymentId, [...state.projects]));
  if (names.isPending) return <LoadingRows rows={4} />;
  if (names.isError) return <ProblemView error={names.error} onRetry={() => void names.refetch()} />;
  const nameOf = (id: string) => names.data.get(id) ?? picked.get(id) ?? `Project ${id}`;
  const isAdded = (id: string) => edits.projects.get(id) === true && !state.projects.has(id);
  const added = [...edits.projects.keys()].filter(isAdded);
  const rows = [...added, ...state.projects].map((id): Row => {
    const isRemoved = edits.projects.get(id) === false;
    return { id, name: nameOf(id), kind: isAdded(id) ? 'added' : isRemoved ? 'removed' : 'same' };
  });
  const searchText = (search.q ?? '').toLowerCase();
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(searchText));
  const columns: TableColumn<Row>[] = [
    {
      name: 'Project',
      cell: ({ id, name, kind }) => (
        <span className={kind === 'removed' ? 'team-removed' : undefined}>
          <Link to="/o/$slug/projects/$projectId" params={{ slug, projectId: id }}>
            {name}
          </Link>
        </span>
      ),
    },
    { name: 'Change', cell: ({ kind }) => <StagedChange kind={kind} /> },
    {
      name: 'Actions',
      isActions: true,
      cell: ({ id, name, kind }) => (
        <KeepOrRemove kind={kind} name={name} onClick={() => onEdit(withProject(edits, id, kind === 'removed'))} />
      ),
    },
  ];
  return (
    <>
      {canManage && (
        <ProjectSelect
          label="Add a project"
          excluded={(id) => edits.projects.get(id) ?? state.projects.has(id)}
          onPick={(id, name) => {
            setPicked(new Map([...picked, [id, name]]));
            onEdit(withProject(edits, id, true));
          }}
        />
      )}
      {rows.length > 10 && <FilterBox label="Filter by name" />}
      {rows.length === 0 && (
        <EmptyState title="No projects" why="Its members have access to no projects through this team." />
      )}
      {shown.length > 0 && (
        <DataTable
          label="Projects"
          columns={canManage ? columns : columns.slice(0, 1)}
          rows={shown.slice(0, MAX_ROWS_SHOWN)}
          keyOf={({ id }) => id}
        />
      )}
      <RowCountNote rows={rows.length} shown={shown.length} />
    </>
  );
}
