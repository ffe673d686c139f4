import { Button, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { teams as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { type Team, teamsKey } from './model/queries.ts';

interface DeleteTeamProps {
  team: Team;
  canManage: boolean;
  /** Whether there are unsaved edits. */
  isEdited: boolean;
}

/** Why the team cannot be deleted; empty if it can. */
function blockedReason({ team, canManage, isEdited }: DeleteTeamProps): string {
  const { isUserDefault, isProjectDefault, childTeamCount } = team;
  if (!canManage) return 'You do not manage this team. Ask an administrator or one of its managers.';
  if (isUserDefault || isProjectDefault)
    return 'The default team cannot be deleted, because new people and projects join it.';
  if (isEdited) return 'Save or discard the changes first.';
  return childTeamCount === '0' ? '' : 'Delete its sub-teams first.';
}

export function DeleteTeam(props: DeleteTeamProps) {
  const { team } = props;
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const queryClient = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const why = blockedReason(props);
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
            onClick={() => setIsConfirming(true)}
          >
            Delete
          </Button>
        </span>
      </Tooltip>
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${team.name}?`}
          actionLabel="Delete"
          onConfirm={remove}
          onClose={() => setIsConfirming(false)}
        >
          Its {team.userCount} people lose access to its {team.repositoryCount} projects, unless they have access
          through another team. The projects and their findings are kept.
        </ConfirmDialog>
      )}
    </>
  );
}
