import { Button, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { teams as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { type Team, teamsKey } from './queries.ts';

interface DeleteTeamProps {
  team: Team;
  mayManage: boolean;
  /** There are edits that are not saved. */
  isEdited: boolean;
}

/** Why a team cannot be deleted, or nothing. */
function hindrance({ team, mayManage, isEdited }: DeleteTeamProps): string {
  const { isUserDefault, isProjectDefault, childTeamCount } = team;
  if (!mayManage) return 'Needs to manage this team: ask an administrator or a manager of it.';
  if (isUserDefault || isProjectDefault) return 'The default team stays: new people and projects join it.';
  if (isEdited) return 'Save or discard the changes first.';
  return childTeamCount === '0' ? '' : 'Delete its sub-teams first.';
}

export function DeleteTeam(props: DeleteTeamProps) {
  const { team } = props;
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const why = hindrance(props);
  const remove = async () => {
    await service.deleteDeploymentTeam({ path: { deploymentId, teamId: team.id } });
    notify(`Team ${team.name} deleted`);
    void queryClient.invalidateQueries({ queryKey: teamsKey(deploymentId) });
    open(undefined);
  };
  return (
    <>
      <Tooltip label={why} disabled={why === ''}>
        <span className={why === '' ? undefined : 'not-allowed'}>
          <Button
            variant="default"
            leftSection={<Trash2 size={16} />}
            disabled={why !== ''}
            onClick={() => setIsAsking(true)}
          >
            Delete
          </Button>
        </span>
      </Tooltip>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${team.name}?`}
          deed="Delete"
          onConfirm={remove}
          onClose={() => setIsAsking(false)}
        >
          Its {team.userCount} people no longer see its {team.repositoryCount} projects, unless another team shows them.
          The projects and their findings stay.
        </ConfirmDialog>
      )}
    </>
  );
}
