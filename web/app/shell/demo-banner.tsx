import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { demos } from '#web/foundation/api/services.ts';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { orgsQuery, useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';

/** Only a slug like this can be a demo's, so nobody else's pages ask. */
const DEMO_SLUG = /^demo(-\d+)?$/;

/** Says on every page of a demo that it is one, and removes it with one click. */
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
    <aside className="demo-banner no-print" aria-label="Demo">
      <span>{isLoading ? `The demo is being loaded: ${data.progress} %` : 'A demo: everything in it is made up.'}</span>
      <PermissionGate permission="deployment:manage">
        {(isDisabled) => (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isDisabled}
            onClick={() => remove.mutate()}
            loading={remove.isPending}
          >
            Remove the demo
          </Button>
        )}
      </PermissionGate>
    </aside>
  );
}
