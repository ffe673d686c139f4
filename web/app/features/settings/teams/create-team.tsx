import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { teams as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { FormProblem, fieldErrorsOf } from '../parts/form-problem.tsx';
import { teamsKey, teamsQuery } from './model/queries.ts';
import { flattenTree } from './model/team-tree.ts';

const MAX_DEPTH = 3;

interface CreateTeamProps {
  /** The parent team; none for a top-level team. */
  parentTeamId?: string;
  onCreated: (teamId: string) => void;
  onClose: () => void;
}

/** Creates a team; people and projects are added on its page. */
export function CreateTeam({ parentTeamId = '0', onCreated, onClose }: CreateTeamProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { data } = useInfiniteQuery(teamsQuery(deploymentId));
  const [name, setName] = useState('');
  const [parent, setParent] = useState(parentTeamId);
  const body = { team: { name: name.trim(), ...(parent === '0' ? {} : { parentTeamId: parent }) } };
  const creating = useMutation({
    mutationFn: () => service.createDeploymentTeam({ path: { deploymentId }, body }),
    onSuccess: ({ team }) => {
      notify(`Team ${team.name} created`);
      void queryClient.invalidateQueries({ queryKey: teamsKey(deploymentId) });
      onCreated(team.id);
    },
  });
  const errors = fieldErrorsOf(creating.error);
  const parents = flattenTree((data?.pages ?? []).flatMap((page) => page.teams)).filter(
    ({ level }) => level < MAX_DEPTH,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog onClose={onClose} title="Create a team">
      <form className="settings-form" onSubmit={submit}>
        <FormProblem error={creating.error} />
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
          label="Parent team"
          description="Members of a team can see the projects of all its sub-teams."
          value={parent}
          data={[
            { value: '0', label: 'none' },
            ...parents.map(({ team, level }) => ({ value: team.id, label: `${'– '.repeat(level - 1)}${team.name}` })),
          ]}
          onChange={(event) => setParent(event.currentTarget.value)}
          error={errors['parentTeamId']}
        />
        <div className="settings-form-actions">
          <CopyAsMenu operationId="TeamsService_CreateDeploymentTeam" input={{ path: { deploymentId }, body }} />
          <Button type="submit" loading={creating.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
