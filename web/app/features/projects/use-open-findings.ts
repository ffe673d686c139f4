import { useQueries } from '@tanstack/react-query';
import { issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { SeverityCounts } from '#web/ui/badges/severity.tsx';
import { openFindingsFilter, splitByFilterLimit } from '#web/ui/filter/open-findings-filter.ts';

export interface OpenFindingCounts {
  count: string;
  counts: SeverityCounts;
}

/** Open findings of these projects by severity; projects that are still loading are missing. */
export function useOpenFindingCounts(names: readonly string[]): Map<string, OpenFindingCounts> {
  const org = useOrg();
  const groups = splitByFilterLimit(names);
  const replies = useQueries({
    queries: groups.map((group) => ({
      queryKey: [org.id, 'counts', 'projects', group],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const body = {
          includeWorkflows: true,
          q: openFindingsFilter(...group),
          groupBy: 'GROUP_BY_PROJECT' as const,
          limit: group.length,
        };
        return issues.groupIssues({ path: { deploymentId: org.id }, body }, { signal });
      },
    })),
  });
  const open = new Map<string, OpenFindingCounts>();
  for (const [index, { data }] of replies.entries()) {
    if (!data) continue;
    for (const name of groups[index] ?? []) open.set(name, { count: '0', counts: {} });
    for (const { label, count, severities } of data.groups) open.set(label, { count, counts: severities });
  }
  return open;
}
