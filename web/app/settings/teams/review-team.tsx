import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { teams as service } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { projectNamesQuery } from '#web/projects/queries.ts';
import { say } from '#web/shell/say.ts';
import { FormProblem } from '../parts/form-problem.tsx';
import { ifMatch, isStale } from '../parts/version.ts';
import { DifferenceView, EffectView } from './review-parts.tsx';
import { applied, bodyOf, differenceOf, type Staged, sizeOf } from './staging.ts';
import { type LoadedTeam, peopleQuery, teamQuery, teamsKey, teamsQuery } from './team-data.ts';

interface ReviewTeamProps {
  loaded: LoadedTeam;
  staged: Staged;
  onSaved: () => void;
  onClose: () => void;
}

/** What the staged edits come to, tab by tab and person by person, before they become one change. */
export function ReviewTeam({ loaded, staged, onSaved, onClose }: ReviewTeamProps) {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { data: pages } = useInfiniteQuery(teamsQuery(deploymentId));
  const first = useRef(loaded.state);
  const { team, version, state } = loaded;
  const after = applied(state, staged);
  const difference = differenceOf(state, after);
  const meanwhile = differenceOf(first.current, state);
  const path = { deploymentId, teamId: team.id };
  const body = bodyOf(difference);
  const saving = useMutation({
    mutationFn: () => service.updateDeploymentTeam({ path, body, headers: ifMatch(version) }),
    onSuccess: async () => {
      say(`Team ${after.name} saved`);
      onClose();
      await queryClient.refetchQueries(teamQuery(path));
      onSaved();
      void queryClient.invalidateQueries({ queryKey: teamsKey(deploymentId) });
    },
    onError: async (error) => {
      if (isStale(error)) await queryClient.refetchQueries(teamQuery(path));
    },
  });
  const names = useNames([difference, meanwhile]);
  const teams = (pages?.pages ?? []).flatMap((page) => page.teams);
  return (
    <Dialog onClose={onClose} title={`Review the changes to ${team.name}`} size="lg">
      <div className="settings-form team-review">
        {isStale(saving.error) ? (
          <section className="settings-note" data-kind="warn" role="alert">
            <strong>Somebody else changed this team meanwhile.</strong> Nothing of yours was saved. What they did:
            <DifferenceView difference={meanwhile} {...names} />
            Below is what your changes come to now.
          </section>
        ) : (
          <FormProblem error={saving.error} />
        )}
        {sizeOf(difference) === 0 ? (
          <p>Nothing is left to change.</p>
        ) : (
          <DifferenceView difference={difference} {...names} />
        )}
        <EffectView change={{ deploymentId, teamId: team.id, teams, before: state, after }} />
        <div className="settings-ends">
          <CopyAs operationId="TeamsService_UpdateDeploymentTeam" input={{ path, body, headers: ifMatch(version) }} />
          <Button
            data-autofocus
            loading={saving.isPending}
            disabled={sizeOf(difference) === 0}
            onClick={() => saving.mutate()}
          >
            Save
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

type Difference = ReturnType<typeof differenceOf>;

/** The names of all that the differences are about. */
function useNames(differences: readonly Difference[]) {
  const { id: deploymentId } = useOrg();
  const people = differences.flatMap(({ peopleAdded, rolesChanged, peopleRemoved }) => [
    ...[...peopleAdded, ...rolesChanged].map(({ id }) => id),
    ...peopleRemoved,
  ]);
  const projects = differences.flatMap(({ projectsAdded, projectsRemoved }) => [...projectsAdded, ...projectsRemoved]);
  const persons = useQuery({ ...peopleQuery(deploymentId, people), enabled: people.length > 0 });
  const named = useQuery({ ...projectNamesQuery(deploymentId, projects), enabled: projects.length > 0 });
  return {
    personName: (id: string) => persons.data?.get(id)?.name ?? `Person ${id}`,
    projectName: (id: string) => named.data?.get(id) ?? `Project ${id}`,
  };
}
