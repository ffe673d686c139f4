import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { LoadMore } from '#web/parts/load-more.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { DefaultRole } from './default-role.tsx';
import { Invite } from './invite.tsx';
import { bodyOf, type PeopleFilter, peopleQuery } from './people-data.ts';
import { PeopleTable } from './people-table.tsx';
import './people.css';

const WHO = [
  { value: '', label: 'Everybody', who: undefined },
  { value: 'admins', label: 'Administrators', who: 'admins' },
  { value: 'others', label: 'All others', who: 'others' },
] as const;

/** Who is in the organization, with which role; new people are invited here. */
export function PeopleSection() {
  const org = useOrg();
  const deploymentId = org.id;
  const { search, put } = useSettingsSearch();
  const filter: PeopleFilter = { q: search.q ?? '', who: search.who };
  return (
    <Page
      title="People"
      actions={
        <>
          <CopyAs
            operationId="DeploymentService_ListDeploymentUsers"
            input={{ path: { deploymentId }, body: bodyOf(filter, '') }}
          />
          <Allowed permission="user:manage">
            {(isDisabled) => (
              <Button leftSection={<UserPlus size={16} />} disabled={isDisabled} onClick={() => put({ new: true })}>
                Invite
              </Button>
            )}
          </Allowed>
        </>
      }
    >
      <div className="people-tools">
        <FilterBox label="Filter by name or address" />
        <NativeSelect
          label="Show"
          data={WHO.map(({ value, label }) => ({ value, label }))}
          value={search.who ?? ''}
          onChange={(event) => put({ who: WHO.find(({ value }) => value === event.currentTarget.value)?.who })}
        />
        <DefaultRole />
      </div>
      <PeopleList filter={filter} />
      {search.new && org.may('user:manage') && <Invite onClose={() => put({ new: undefined }, true)} />}
    </Page>
  );
}

function PeopleList({ filter }: { filter: PeopleFilter }) {
  const { id: deploymentId } = useOrg();
  const list = useInfiniteQuery(peopleQuery(deploymentId, filter));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const people = list.data.pages.flatMap((page) => page.users);
  if (people.length === 0) return <Empty title="Nobody matches" why="Clear the filter to see everybody." />;
  return (
    <div aria-busy={list.isPlaceholderData}>
      <PeopleTable people={people} />
      {problem}
      <LoadMore {...list} />
    </div>
  );
}
