import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ORG_ROLE_LABELS, TEAM_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { PersonSelect } from '../parts/person-project-select.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import type { OrgMember } from '../people/queries.ts';
import { peopleByIdQuery } from './model/queries.ts';
import { withPerson } from './model/team-edits.ts';
import type { TeamTabProps } from './model/team-tab-props.ts';
import { KeepOrRemove, MAX_ROWS_SHOWN, type RowChange, RowCountNote, StagedChange } from './staged-change.tsx';

/** The columns for users who cannot edit; the rest are for editing. */
const READ_ONLY_COLUMNS = 4;
const NEW_ROLE = 'TEAM_ROLE_MEMBER';

interface Row {
  id: string;
  person: OrgMember | undefined;
  role: string;
  kind: RowChange;
}

function rowOf(id: string, { loaded: { state }, edits }: TeamTabProps, person: OrgMember | undefined): Row {
  const before = state.people.get(id);
  const role = edits.people.has(id) ? edits.people.get(id) : before;
  const kind = role === undefined ? 'removed' : before === undefined ? 'added' : before === role ? 'same' : 'changed';
  return { id, person, role: role ?? before ?? NEW_ROLE, kind };
}

/** The members of the team and their roles, with unsaved edits applied. */
export function PeopleTab(tabProps: TeamTabProps) {
  const { loaded, edits, canManage, onEdit } = tabProps;
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const before = loaded.state.people;
  const ids = [...[...edits.people.keys()].filter((id) => !before.has(id) && edits.people.get(id)), ...before.keys()];
  const people = useQuery({ ...peopleByIdQuery(deploymentId, ids), placeholderData: (last) => last });
  if (people.isPending) return <LoadingRows rows={4} />;
  if (people.isError) return <ProblemView error={people.error} onRetry={() => void people.refetch()} />;
  const rows = ids.map((id) => rowOf(id, tabProps, people.data.get(id)));
  const searchText = (search.q ?? '').toLowerCase();
  const shown = rows.filter(({ person }) => `${person?.name} ${person?.email}`.toLowerCase().includes(searchText));
  return (
    <>
      {canManage && (
        <PersonSelect
          label="Add a person"
          excluded={(id) => (edits.people.has(id) ? edits.people.get(id) !== undefined : before.has(id))}
          onPick={(id) => onEdit(withPerson(edits, id, NEW_ROLE))}
        />
      )}
      {rows.length > 10 && <FilterBox label="Filter by name or address" />}
      {rows.length === 0 && <EmptyState title="No people" why="Nobody has access to projects through this team." />}
      {shown.length > 0 && (
        <DataTable
          label="People"
          columns={columnsOf(tabProps).slice(0, canManage ? undefined : READ_ONLY_COLUMNS)}
          rows={shown.slice(0, MAX_ROWS_SHOWN)}
          keyOf={({ id }) => id}
        />
      )}
      <RowCountNote rows={rows.length} shown={shown.length} />
    </>
  );
}

const columnsOf = ({ loaded, edits, canManage, onEdit }: TeamTabProps): TableColumn<Row>[] => [
  {
    name: 'Name',
    cell: ({ id, person, kind }) => (
      <span className={kind === 'removed' ? 'team-removed' : undefined}>{person?.name ?? `Person ${id}`}</span>
    ),
  },
  { name: 'E-mail', cell: ({ person }) => person?.email },
  { name: 'Organization role', cell: ({ person }) => ORG_ROLE_LABELS[person?.orgRole ?? ''] },
  {
    name: 'Team role',
    cell: ({ id, person, role, kind }) =>
      canManage ? (
        <NativeSelect
          size="xs"
          aria-label={`Role of ${person?.name ?? id}`}
          disabled={kind === 'removed'}
          value={role}
          data={Object.entries(TEAM_ROLE_LABELS).map(([value, label]) => ({ value, label }))}
          onChange={(event) => onEdit(withPerson(edits, id, event.currentTarget.value))}
        />
      ) : (
        TEAM_ROLE_LABELS[role]
      ),
  },
  { name: 'Change', cell: ({ kind }) => <StagedChange kind={kind} /> },
  {
    name: 'Actions',
    isActions: true,
    cell: ({ id, person, kind }) => {
      const next = kind === 'removed' ? loaded.state.people.get(id) : undefined;
      const change = () => onEdit(withPerson(edits, id, next));
      return <KeepOrRemove kind={kind} name={person?.name ?? id} onClick={change} />;
    },
  },
];
