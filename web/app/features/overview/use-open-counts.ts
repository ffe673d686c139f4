import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { Overview } from './overview-query.ts';

const MAX_PROJECTS = 10;

export interface OpenCounts {
  open: number;
  openPriority: number;
  worstProjects: { name: string; count: number; q: string }[];
}

/** Open findings counted as on the pages of findings and projects: with those of workflows. */
export function useOpenCounts({ open, openPriority }: Overview['numbers']): OpenCounts | undefined {
  const { id: deploymentId } = useOrg();
  const path = { deploymentId };
  const { data } = useQuery({
    queryKey: [deploymentId, 'counts', 'open', open.q, openPriority.q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<OpenCounts> => {
      const count = async (q: string) =>
        Number((await issues.getIssueCounts({ path, body: { q, includeWorkflows: true } }, { signal })).open);
      const groups = () =>
        issues.groupIssues(
          { path, body: { q: open.q, includeWorkflows: true, groupBy: 'GROUP_BY_PROJECT', limit: MAX_PROJECTS } },
          { signal },
        );
      const [all, priority, byProject] = await Promise.all([count(open.q), count(openPriority.q), groups()]);
      return {
        open: all,
        openPriority: priority,
        worstProjects: byProject.groups.map(({ label, count: number, q }) => ({
          name: label,
          count: Number(number),
          q,
        })),
      };
    },
  });
  return data;
}
