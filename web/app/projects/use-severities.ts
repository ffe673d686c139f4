import { useQuery } from '@tanstack/react-query';
import { issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import type { SeverityCounts } from '#web/parts/severity.tsx';

const MOST = 200;

export interface OpenFindings {
  count: string;
  counts: SeverityCounts;
  q: string;
}

/** Open findings of each project by severity, by the project's name; one call for the page. */
export function useOpenFindings(): Map<string, OpenFindings> | undefined {
  const org = useOrg();
  const { data } = useQuery({
    queryKey: [org.id, 'counts', 'projects'],
    queryFn: ({ signal }) =>
      issues.groupIssues(
        { path: { deploymentId: org.id }, body: { q: 'is:open', groupBy: 'GROUP_BY_PROJECT', limit: MOST } },
        { signal },
      ),
  });
  return (
    data && new Map(data.groups.map(({ label, count, severities, q }) => [label, { count, counts: severities, q }]))
  );
}
