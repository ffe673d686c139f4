import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

/** One valid call for each operation of facets and groups. */
export const viewExamples: Examples<typeof contract> = {
  getIssueFacets: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { q: 'is:open severity:high,critical', keys: ['is', 'severity', 'project', 'rule'] },
  }),
  groupIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { q: 'is:open', groupBy: 'GROUP_BY_PROJECT', limit: 50, cursor: '' },
  }),
};
