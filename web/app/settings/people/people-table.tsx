import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { deployments } from '#web/api/services.ts';
import { useSession } from '#web/api/session.ts';
import { ORG_ROLE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { Confirm } from '#web/parts/confirm.tsx';
import { When } from '#web/parts/when.tsx';
import { say, sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { RowDeed } from '../parts/row-deed.tsx';
import { GIVEN_ROLES, type OrgRole, type Person, peopleKey } from './people-data.ts';

/** The people of the organization, in the order of their names. */
export function PeopleTable({ people }: { people: readonly Person[] }) {
  const [leaving, setLeaving] = useState<Person>();
  const actions: Column<Person> = {
    name: 'Actions',
    isActions: true,
    cell: (person) => <Deeds person={person} onRemove={() => setLeaving(person)} />,
  };
  return (
    <>
      <DataTable label="People" columns={[...COLUMNS, actions]} rows={people} keyOf={({ id }) => id} />
      {leaving && <RemovePerson person={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<Person>[] = [
  {
    name: 'Name',
    cell: ({ name, email, active }) => (
      <span>
        <span className="people-name">{name}</span> {!active && '(cannot sign in)'}
        <span className="people-address dimmed">{email}</span>
      </span>
    ),
  },
  { name: 'Role', cell: (person) => <RoleSelect person={person} /> },
  { name: 'Teams', cell: (person) => <Teams person={person} /> },
  { name: 'Signs in with', cell: ({ authentication }) => authentication.join(', ') || 'nothing yet' },
  { name: 'Since', cell: ({ since }) => <When at={since} /> },
];

function Teams({ person: { groups } }: { person: Person }) {
  const { slug } = useOrg();
  return (
    <span className="people-teams">
      {groups.map(({ group }) => (
        <Link
          key={group.id}
          to="/o/$slug/settings/{-$section}/{-$item}"
          params={{ slug, section: 'teams', item: group.id }}
          search={{ tab: 'people' }}
        >
          {group.name}
        </Link>
      ))}
    </span>
  );
}

/** A role is changed at once and can be taken back; giving up one's own is asked about. */
function RoleSelect({ person: { id, name, orgRole } }: { person: Person }) {
  const org = useOrg();
  const deploymentId = org.id;
  const queryClient = useQueryClient();
  const session = useSession();
  const [asked, setAsked] = useState<OrgRole>();
  const give = async (newRole: OrgRole) => {
    await deployments.patchDeploymentUser({ path: { deploymentId, userId: id }, body: { newRole } });
    await queryClient.invalidateQueries({ queryKey: peopleKey(deploymentId) });
  };
  const changing = useMutation({
    mutationFn: give,
    onSuccess: (_, role) => sayWithUndo(`${name} is now: ${ORG_ROLE_LABELS[role]}`, () => give(orgRole)),
    onError: sayProblem,
  });
  // A control that is switched off can hardly be read, and the role is for everybody to read.
  if (!org.may('user:manage')) return ORG_ROLE_LABELS[orgRole] ?? orgRole;
  const isSelf = session.kind === 'signed-in' && session.user.id === id;
  const roles = GIVEN_ROLES.includes(orgRole) ? GIVEN_ROLES : [...GIVEN_ROLES, orgRole];
  return (
    <>
      <NativeSelect
        size="xs"
        className="people-role"
        aria-label={`Role of ${name}`}
        disabled={changing.isPending}
        value={changing.isPending ? changing.variables : orgRole}
        data={roles.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }))}
        onChange={(event) => {
          const next = event.currentTarget.value as OrgRole;
          if (isSelf) setAsked(next);
          else changing.mutate(next);
        }}
      />
      {asked && (
        <Confirm
          title="Change your own role?"
          deed="Change it"
          onConfirm={() => give(asked)}
          onClose={() => setAsked(undefined)}
        >
          You would be: {ORG_ROLE_LABELS[asked]}. Only another administrator can change it back.
        </Confirm>
      )}
    </>
  );
}

function Deeds({ person: { id, name }, onRemove }: { person: Person; onRemove: () => void }) {
  const { slug } = useOrg();
  return (
    <>
      <Tooltip label={`What ${name} sees`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className="people-eye"
          aria-label={`What ${name} sees`}
          renderRoot={(props) => (
            <Link
              to="/o/$slug/settings/{-$section}/{-$item}"
              params={{ slug, section: 'access', item: undefined }}
              search={{ person: id }}
              {...props}
            />
          )}
        >
          <Eye size={16} />
        </ActionIcon>
      </Tooltip>
      <RowDeed permission="user:manage" label={`Remove ${name}`} icon={<UserMinus size={16} />} onClick={onRemove} />
    </>
  );
}

function RemovePerson({ person: { id, name }, onClose }: { person: Person; onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    await deployments.removeDeploymentUser({ path: { deploymentId: org.id, userId: id } });
    say(`${name} removed`);
    void queryClient.invalidateQueries({ queryKey: peopleKey(org.id) });
  };
  return (
    <Confirm title={`Remove ${name}?`} deed="Remove" onConfirm={remove} onClose={onClose}>
      They lose all access to {org.name} from the next request on, and leave its teams. Their account, their other
      organizations and what they did here stay. Look through the tokens too: a token goes on working, whoever made it.
    </Confirm>
  );
}
