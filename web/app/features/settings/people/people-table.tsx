import { ActionIcon, Checkbox, NativeSelect, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eye, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { deployments } from '#web/foundation/api/services.ts';
import { useSession } from '#web/foundation/api/session.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RowAction } from '#web/ui/table/row-action.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { ASSIGNABLE_ROLES, type OrgMember, type OrgRole, peopleKey } from './queries.ts';

/** The members of the organization, sorted by name. */
export function PeopleTable({ people }: { people: readonly OrgMember[] }) {
  const [removing, setRemoving] = useState<OrgMember>();
  const actions: TableColumn<OrgMember> = {
    name: 'Actions',
    isActions: true,
    cell: (person) => <PersonActions person={person} onRemove={() => setRemoving(person)} />,
  };
  return (
    <>
      <DataTable label="People" columns={[...COLUMNS, actions]} rows={people} keyOf={({ id }) => id} />
      {removing && <RemovePerson person={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

const COLUMNS: readonly TableColumn<OrgMember>[] = [
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
  { name: 'Since', cell: ({ since }) => <RelativeTime at={since} /> },
];

function Teams({ person: { groups } }: { person: OrgMember }) {
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

/** Changes a role immediately, with undo; changing one's own role asks for confirmation. */
function RoleSelect({ person: { id, name, orgRole } }: { person: OrgMember }) {
  const org = useOrg();
  const deploymentId = org.id;
  const queryClient = useQueryClient();
  const session = useSession();
  const [confirming, setConfirming] = useState<OrgRole>();
  const assign = async (newRole: OrgRole) => {
    await deployments.patchDeploymentUser({ path: { deploymentId, userId: id }, body: { newRole } });
    await queryClient.invalidateQueries({ queryKey: peopleKey(deploymentId) });
  };
  const changing = useMutation({
    // When it ends, the list may show the new role already: the old one has to be remembered.
    mutationFn: ({ to }: { to: OrgRole; from: OrgRole }) => assign(to),
    onSuccess: (_, { to, from }) => notifyWithUndo(`${name} is now: ${ORG_ROLE_LABELS[to]}`, () => assign(from)),
    onError: notifyProblem,
  });
  // Show text instead of a disabled control, which is hard to read.
  if (!org.may('user:manage')) return ORG_ROLE_LABELS[orgRole] ?? orgRole;
  const isSelf = session.kind === 'signed-in' && session.user.id === id;
  const roles = ASSIGNABLE_ROLES.includes(orgRole) ? ASSIGNABLE_ROLES : [...ASSIGNABLE_ROLES, orgRole];
  return (
    <>
      <NativeSelect
        size="xs"
        className="people-role"
        aria-label={`Role of ${name}`}
        disabled={changing.isPending}
        value={changing.isPending ? changing.variables.to : orgRole}
        data={roles.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }))}
        onChange={(event) => {
          const next = event.currentTarget.value as OrgRole;
          if (isSelf) setConfirming(next);
          else changing.mutate({ to: next, from: orgRole });
        }}
      />
      {confirming && (
        <ConfirmDialog
          title="Change your own role?"
          actionLabel="Change role"
          onConfirm={() => assign(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          Your new role would be: {ORG_ROLE_LABELS[confirming]}. Only another administrator can change it back.
        </ConfirmDialog>
      )}
    </>
  );
}

function PersonActions({ person: { id, name }, onRemove }: { person: OrgMember; onRemove: () => void }) {
  const { slug } = useOrg();
  return (
    <>
      <Tooltip label={`Access of ${name}`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          className="people-access-link"
          aria-label={`Access of ${name}`}
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
      <RowAction permission="user:manage" label={`Remove ${name}`} icon={<UserMinus size={16} />} onClick={onRemove} />
    </>
  );
}

function RemovePerson({ person: { id, name }, onClose }: { person: OrgMember; onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [keepTokens, setKeepTokens] = useState(false);
  const remove = async () => {
    await deployments.removeDeploymentUser({ path: { deploymentId: org.id, userId: id }, query: { keepTokens } });
    notify(`${name} removed`);
    void queryClient.invalidateQueries({ queryKey: peopleKey(org.id) });
  };
  return (
    <ConfirmDialog title={`Remove ${name}?`} actionLabel="Remove" onConfirm={remove} onClose={onClose}>
      <p>
        They lose access to {org.name} immediately, leave its teams and are signed out. Their account, their other
        organizations and their past activity are kept. Invitations they sent are cancelled.
      </p>
      <Checkbox
        label="Keep the API tokens they created, as mine"
        description="Otherwise programs that use these tokens stop working."
        checked={keepTokens}
        onChange={(event) => setKeepTokens(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  );
}
