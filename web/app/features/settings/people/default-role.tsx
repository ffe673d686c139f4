import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deployments } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ASSIGNABLE_ROLES, type OrgRole } from './queries.ts';

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
      notifyWithUndo(`New people become: ${ORG_ROLE_LABELS[role]}`, async () => before && give(before)),
    onError: notifyProblem,
  });
  return (
    <PermissionGate permission="deployment:manage">
      {(isDisabled) => (
        <NativeSelect
          label="New people become"
          disabled={isDisabled || before === undefined || changing.isPending}
          value={changing.isPending ? changing.variables : (before ?? 'ORG_ROLE_MEMBER')}
          data={ASSIGNABLE_ROLES.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }))}
          onChange={(event) => changing.mutate(event.currentTarget.value as OrgRole)}
        />
      )}
    </PermissionGate>
  );
}
