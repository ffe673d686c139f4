import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deployments } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { notifyWithUndo } from '#web/foundation/notify/notify-with-undo.tsx';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { ASSIGNABLE_ROLES, type OrgRole } from './queries.ts';

/** The role that new members get. */
export function DefaultRole() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const queryKey = [deploymentId, 'settings', 'default-role'];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => deployments.getDeploymentDefaultUserRole({ path: { deploymentId } }, { signal }),
  });
  const setRole = async (defaultUserRole: OrgRole) => {
    await deployments.updateDeployment({ path: { deploymentId }, body: { defaultUserRole } });
    await queryClient.invalidateQueries({ queryKey });
  };
  const before = data?.defaultUserRole;
  const changing = useMutation({
    // When it ends, `before` may be the new role already: the old one has to be remembered.
    mutationFn: ({ to }: { to: OrgRole; from: OrgRole | undefined }) => setRole(to),
    onSuccess: (_, { to, from }) =>
      notifyWithUndo(`Default role: ${ORG_ROLE_LABELS[to]}`, async () => from && setRole(from)),
    onError: notifyProblem,
  });
  return (
    <PermissionGate permission="deployment:manage">
      {(isDisabled) => (
        <NativeSelect
          label="Default role"
          disabled={isDisabled || before === undefined || changing.isPending}
          value={changing.isPending ? changing.variables.to : (before ?? 'ORG_ROLE_MEMBER')}
          data={ASSIGNABLE_ROLES.map((value) => ({ value, label: ORG_ROLE_LABELS[value] ?? value }))}
          onChange={(event) => changing.mutate({ to: event.currentTarget.value as OrgRole, from: before })}
        />
      )}
    </PermissionGate>
  );
}
