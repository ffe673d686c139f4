import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { demos } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { orgsQuery, useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

/** The slugs of demo organizations; other organizations skip the request. */
const DEMO_SLUG = /^demo(-\d+)?$/;

/** Marks every page of a demo organization, and offers to remove it. */
export function DemoBanner() {
  const org = useOrg();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: [org.id, 'demo'],
    queryFn: ({ signal }) => demos.getDemo({ path: { deploymentId: org.id } }, { signal }),
    enabled: DEMO_SLUG.test(org.slug),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.state === 'LOADING' ? 2000 : false),
  });
  const remove = useMutation({
    mutationFn: () => demos.deleteDemo({ path: { deploymentId: org.id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(orgsQuery);
      await navigate({ to: '/' });
    },
    onError: notifyProblem,
  });
  if (data?.isDemo !== true) return null;
  const isLoading = data.state === 'LOADING';
  return (
    <aside className="shell-banner no-print" aria-label="Demo">
      <span>{isLoading ? `Loading demo data: ${data.progress} %` : 'This is a demo with fictional data.'}</span>
      <PermissionGate permission="deployment:manage">
        {(isDisabled) => (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isDisabled}
            onClick={() => remove.mutate()}
            loading={remove.isPending}
          >
            Remove demo
          </Button>
        )}
      </PermissionGate>
    </aside>
  );
}
