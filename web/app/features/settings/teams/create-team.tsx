import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { teams as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { teamsKey, teamsQuery } from './queries.ts';
import { flattenTree } from './team-tree.ts';

const DEEPEST = 3;

interface CreateTeamProps {
  /** The team under which it shall stand; none for a team of the organization itself. */
  parentTeamId?: string;
  onMade: (teamId: string) => void;
  onClose: () => void;
}

/** A name is enough; people and projects are put in on the page of the team. */
export function CreateTeam({ parentTeamId = '0', onMade, onClose }: CreateTeamProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { data } = useInfiniteQuery(teamsQuery(deploymentId));
  const [name, setName] = useState('');
  const [parent, setParent] = useState(parentTeamId);
  const body = { team: { name: name.trim(), ...(parent === '0' ? {} : { parentTeamId: parent }) } };
  const making = useMutation({
    mutationFn: () => service.createDeploymentTeam({ path: { deploymentId }, body }),
    onSuccess: ({ team }) => {
      notify(`Team ${team.name} created`);
      void queryClient.invalidateQueries({ queryKey: teamsKey(deploymentId) });
      onMade(team.id);
    },
  });
  const errors = fieldErrorsOf(making.error);
  const parents = flattenTree((data?.pages ?? []).flatMap((page) => page.teams)).filter(({ level }) => level < DEEPEST);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Create a team">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={making.error} />
        <TextInput
          label="Name"
          required
          maxLength={128}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors['name']}
        />
        <NativeSelect
          label="Under"
          description="Who is in a team reaches the projects of all teams under it."
          value={parent}
          data={[
            { value: '0', label: 'no other team' },
            ...parents.map(({ team, level }) => ({ value: team.id, label: `${'– '.repeat(level - 1)}${team.name}` })),
          ]}
          onChange={(event) => setParent(event.currentTarget.value)}
          error={errors['parentTeamId']}
        />
        <div className="settings-ends">
          <CopyAsMenu operationId="TeamsService_CreateDeploymentTeam" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={making.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
