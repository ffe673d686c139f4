import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { projectNamesQuery } from '#web/foundation/api/project-queries.ts';
import { teams as service } from '#web/foundation/api/services.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { ifMatchHeader, isVersionConflict } from '../parts/etag.ts';
import { FormProblem } from '../parts/form-problem.tsx';
import { type LoadedTeam, peopleByIdQuery, teamQuery, teamsKey, teamsQuery } from './model/queries.ts';
import { applyEdits, countChanges, diffTeams, type TeamEdits, updateTeamBody } from './model/team-edits.ts';
import { AccessImpactView, TeamDiffView } from './team-diff-view.tsx';

interface ReviewTeamProps {
  loaded: LoadedTeam;
  edits: TeamEdits;
  onSaved: () => void;
  onClose: () => void;
}

/** Reviews the edits and their effect on access, then saves them in one request. */
export function ReviewTeam({ loaded, edits, onSaved, onClose }: ReviewTeamProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { data: pages } = useInfiniteQuery(teamsQuery(deploymentId));
  const first = useRef(loaded.state);
  const { team, version, state } = loaded;
  const after = applyEdits(state, edits);
  const difference = diffTeams(state, after);
  const changesByOthers = diffTeams(first.current, state);
  const path = { deploymentId, teamId: team.id };
  const body = updateTeamBody(difference);
  const saving = useMutation({
    mutationFn: () => service.updateDeploymentTeam({ path, body, headers: ifMatchHeader(version) }),
    onSuccess: async () => {
      notify(`Team ${after.name} saved`);
      onClose();
      await queryClient.refetchQueries(teamQuery(path));
      onSaved();
      void queryClient.invalidateQueries({ queryKey: teamsKey(deploymentId) });
    },
    onError: async (error) => {
      if (isVersionConflict(error)) await queryClient.refetchQueries(teamQuery(path));
    },
  });
  const names = useNames([difference, changesByOthers]);
  const teams = (pages?.pages ?? []).flatMap((page) => page.teams);
  return (
    <Dialog onClose={onClose} title={`Review the changes to ${team.name}`} size="lg">
      <div className="settings-form team-review">
        {isVersionConflict(saving.error) ? (
          <section className="settings-note" data-kind="warn" role="alert">
            <strong>Someone else changed this team in the meantime.</strong> Your changes were not saved. They changed:
            <TeamDiffView difference={changesByOthers} {...names} />
            Your remaining changes are below.
          </section>
        ) : (
          <FormProblem error={saving.error} />
        )}
        {countChanges(difference) === 0 ? <p>No changes left.</p> : <TeamDiffView difference={difference} {...names} />}
        <AccessImpactView change={{ deploymentId, teamId: team.id, teams, before: state, after }} />
        <div className="settings-form-actions">
          <CopyAsMenu
            operationId="TeamsService_UpdateDeploymentTeam"
            input={{ path, body, headers: ifMatchHeader(version) }}
          />
          <Button
            data-autofocus
            loading={saving.isPending}
            disabled={countChanges(difference) === 0}
            onClick={() => saving.mutate()}
          >
            Save
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

type Difference = ReturnType<typeof diffTeams>;

/** Looks up the names of all people and projects in the differences. */
function useNames(differences: readonly Difference[]) {
  const { id: deploymentId } = useOrg();
  const people = differences.flatMap(({ peopleAdded, rolesChanged, peopleRemoved }) => [
    ...[...peopleAdded, ...rolesChanged].map(({ id }) => id),
    ...peopleRemoved,
  ]);
  const projects = differences.flatMap(({ projectsAdded, projectsRemoved }) => [...projectsAdded, ...projectsRemoved]);
  const persons = useQuery({ ...peopleByIdQuery(deploymentId, people), enabled: people.length > 0 });
  const named = useQuery({ ...projectNamesQuery(deploymentId, projects), enabled: projects.length > 0 });
  return {
    personName: (id: string) => persons.data?.get(id)?.name ?? `Person ${id}`,
    projectName: (id: string) => named.data?.get(id) ?? `Project ${id}`,
  };
}
