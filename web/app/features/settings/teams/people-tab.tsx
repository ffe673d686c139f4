import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ORG_ROLE_LABELS, TEAM_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '../parts/data-table.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { PersonSelect } from '../parts/person-project-select.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { peopleByIdQuery, type TeamPerson } from './queries.ts';
import { KeepOrRemove, MAX_ROWS_SHOWN, type RowChange, RowCountNote, StagedChange } from './staged-change.tsx';
import { withPerson } from './team-edits.ts';
import type { TeamTabProps } from './team-page.tsx';

/** Those that say what is; the rest change it. */
const READ_COLUMNS = 4;
const NEW_ROLE = 'TEAM_ROLE_MEMBER';

interface Row {
  id: string;
  person: TeamPerson | undefined;
  role: string;
  kind: RowChange;
}

function rowOf(id: string, { loaded: { state }, staged }: TeamTabProps, person: TeamPerson | undefined): Row {
  const before = state.people.get(id);
  const role = staged.people.has(id) ? staged.people.get(id) : before;
  const kind = role === undefined ? 'removed' : before === undefined ? 'added' : before === role ? 'same' : 'changed';
  return { id, person, role: role ?? before ?? NEW_ROLE, kind };
}

/** The people of the team and their roles in it, as they will be. */
export function PeopleTab(editing: TeamTabProps) {
  const { loaded, staged, mayManage, stage } = editing;
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const before = loaded.state.people;
  const ids = [...[...staged.people.keys()].filter((id) => !before.has(id) && staged.people.get(id)), ...before.keys()];
  const people = useQuery({ ...peopleByIdQuery(deploymentId, ids), placeholderData: (last) => last });
  if (people.isPending) return <LoadingRows rows={4} />;
  if (people.isError) return <ProblemView error={people.error} onRetry={() => void people.refetch()} />;
  const rows = ids.map((id) => rowOf(id, editing, people.data.get(id)));
  const wanted = (search.q ?? '').toLowerCase();
  const shown = rows.filter(({ person }) => `${person?.name} ${person?.email}`.toLowerCase().includes(wanted));
  return (
    <>
      {mayManage && (
        <PersonSelect
          label="Add a person"
          excluded={(id) => (staged.people.has(id) ? staged.people.get(id) !== undefined : before.has(id))}
          onPick={(id) => stage(withPerson(staged, id, NEW_ROLE))}
        />
      )}
      {rows.length > 10 && <FilterBox label="Filter by name or address" />}
      {rows.length === 0 && <EmptyState title="Nobody" why="Nobody sees projects through this team." />}
      {shown.length > 0 && (
        <DataTable
          label="People"
          columns={columnsOf(editing).slice(0, mayManage ? undefined : READ_COLUMNS)}
          rows={shown.slice(0, MAX_ROWS_SHOWN)}
          keyOf={({ id }) => id}
        />
      )}
      <RowCountNote rows={rows.length} shown={shown.length} />
    </>
  );
}

const columnsOf = ({ loaded, staged, mayManage, stage }: TeamTabProps): TableColumn<Row>[] => [
  {
    name: 'Name',
    cell: ({ id, person, kind }) => (
      <span className={kind === 'removed' ? 'team-gone' : undefined}>{person?.name ?? `Person ${id}`}</span>
    ),
  },
  { name: 'E-mail', cell: ({ person }) => person?.email },
  { name: 'In the organization', cell: ({ person }) => ORG_ROLE_LABELS[person?.orgRole ?? ''] },
  {
    name: 'Role in the team',
    cell: ({ id, person, role, kind }) =>
      mayManage ? (
        <NativeSelect
          size="xs"
          aria-label={`Role of ${person?.name ?? id}`}
          disabled={kind === 'removed'}
          value={role}
          data={Object.entries(TEAM_ROLE_LABELS).map(([value, label]) => ({ value, label }))}
          onChange={(event) => stage(withPerson(staged, id, event.currentTarget.value))}
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
      const change = () => stage(withPerson(staged, id, next));
      return <KeepOrRemove kind={kind} name={person?.name ?? id} onClick={change} />;
    },
  },
];
