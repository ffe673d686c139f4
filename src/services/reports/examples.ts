import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getOverview: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { since: '2026-01-01T00:00:00Z', bucket: 'BUCKET_WEEK', q: 'type:code' },
  }),
  getGuardrailsFindings: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filters: { timePeriod: { since: '2026-01-01T00:00:00Z', until: '2026-04-01T00:00:00Z' } } },
  }),
  getGuardrailsActivityReport: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      filters: {
        timePeriod: { since: '2026-01-01T00:00:00Z', until: '2026-04-01T00:00:00Z' },
        timeBucketSize: 'TIME_BUCKET_SIZE_WEEK',
      },
    },
  }),
};
