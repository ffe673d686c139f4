import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deployments } from '#web/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { sayProblem } from '#web/shell/say.ts';
import { sayWithUndo } from '#web/shell/undo.tsx';
import { GIVEN_ROLES, type OrgRole } from './people-data.ts';

/** The role that people get when they join. */
export function DefaultRole() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const queryKey = [deploymentId, 'settings', 'default-role'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => deployments.getDeploymentDefaultUserRole({ path: { deploymentId } }, { signal }),
  });
  const give = async (defaultUserRole: OrgRole) => {
    await deployments.updateDeployment({ path: { deploymentId }, body: { defaultUserRole } });
    await queryClient.invalidateQueries({ queryKey });
  };
  const before = data?.defaultUserRole;
  const changing = useMutation({
    mutationFn: give,
    onSuccess: (_, role) =>
      sayWithUndo(`New people become: ${ORG_ROLE_LABELS[role]}`, async () => before && give(before)),
    onError: sayProblem,
  });
  return (
    <Allowed permission="deployment:manage">
      {(isDisabled) => (
        <NativeSelect
          label="New people become"
          disabled={isDisabled || before === undefined || changing.isPending}
          value={changing.isPending ? changing.variables : (before ?? 'ORG_ROLE_MEMBER')}
          data={GIVEN_ROLES.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }))}
          onChange={(event) => changing.mutate(event.currentTarget.value as OrgRole)}
        />
      )}
    </Allowed>
  );
}
