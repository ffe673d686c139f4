import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { AddPerson } from './add-person.tsx';
import { DefaultRole } from './default-role.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PendingInvitations } from './pending-invitations.tsx';
import { PeopleTable } from './people-table.tsx';
import { listUsersBody, orgMembersQuery, type PeopleFilter } from './queries.ts';
import './people.css';

const WHO = [
  { value: '', label: 'Everyone', who: undefined },
  { value: 'admins', label: 'Administrators', who: 'admins' },
  { value: 'others', label: 'Non-administrators', who: 'others' },
] as const;

/** The members of the organization and their roles; invites new people. */
export function PeopleSection() {
  const org = useOrg();
  const deploymentId = org.id;
  const { search, update } = useSettingsSearch();
  const filter: PeopleFilter = { q: search.q ?? '', who: search.who };
  return (
    <Page
      title="People"
      actions={
        <>
          <CopyAsMenu
            operationId="DeploymentService_ListDeploymentUsers"
            input={{ path: { deploymentId }, body: listUsersBody(filter, '') }}
          />
          <PermissionGate permission="user:manage">
            {(isDisabled) => (
              <Button variant="default" disabled={isDisabled} onClick={() => update({ preset: 'person' })}>
                Add person
              </Button>
            )}
          </PermissionGate>
          <PermissionGate permission="user:manage">
            {(isDisabled) => (
              <Button leftSection={<UserPlus size={16} />} disabled={isDisabled} onClick={() => update({ new: true })}>
                Invite
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <div className="people-tools">
        <FilterBox label="Filter by name or address" />
        <NativeSelect
          label="Show"
          data={WHO.map(({ value, label }) => ({ value, label }))}
          value={search.who ?? ''}
          onChange={(event) => update({ who: WHO.find(({ value }) => value === event.currentTarget.value)?.who })}
        />
        <DefaultRole />
      </div>
      <PeopleList filter={filter} />
      {org.may('invitation:read') && <PendingInvitations />}
      {search.new && org.may('user:manage') && <InviteDialog onClose={() => update({ new: undefined }, true)} />}
      {search.preset === 'person' && org.may('user:manage') && (
        <AddPerson onClose={() => update({ preset: undefined }, true)} />
      )}
    </Page>
  );
}

function PeopleList({ filter }: { filter: PeopleFilter }) {
  const { id: deploymentId } = useOrg();
  const list = useInfiniteQuery(orgMembersQuery(deploymentId, filter));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const people = list.data.pages.flatMap((page) => page.users);
  if (people.length === 0) return <EmptyState title="No matches" why="Clear the filter to see everyone." />;
  return (
    <div aria-busy={list.isPlaceholderData}>
      <PeopleTable people={people} />
      {problem}
      <LoadMore {...list} />
    </div>
  );
}
