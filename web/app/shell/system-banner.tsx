import { useQuery } from '@tanstack/react-query';
import { system } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';

const REFETCH_INTERVAL_MS = 60_000;

/** Tells those who may see the state of the server what its operator should act on, such as a disk that fills up. */
export function SystemBanner() {
  const org = useOrg();
  const { data } = useQuery({
    queryKey: [org.id, 'system-warnings'],
    queryFn: ({ signal }) => system.listSystemWarnings({ path: { deploymentId: org.id } }, { signal }),
    enabled: org.may('system:read'),
    retry: false,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return data?.warnings.map(({ code, message }) => (
    <aside key={code} className="shell-banner no-print" aria-label="Server warning">
      {message}
    </aside>
  ));
}
