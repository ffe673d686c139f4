import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listAutomationActivity: (of) => ({ path: { deploymentId: of('Deployment') } }),
  listAutomationRuns: (of) => ({
    path: { deploymentId: of('Deployment'), automationId: of('Automation') },
    query: { limit: '100' },
  }),
  setAutomationMode: (of) => ({
    path: { deploymentId: of('Deployment'), automationId: of('Automation') },
    body: { mode: 'simulate' },
  }),
  explainAutomation: (of) => ({
    path: { deploymentId: of('Deployment'), automationId: of('Automation'), findingId: of('Finding') },
  }),
  tryAutomation: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      filters: { conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values: ['critical', 'high'] }] },
      findingId: of('Finding'),
    },
  }),
  previewAutomationRun: (of) => ({ path: { deploymentId: of('Deployment'), automationId: of('Automation') } }),
  runAutomation: (of) => ({
    path: { deploymentId: of('Deployment'), automationId: of('Automation') },
    body: { snapshot: '0', count: '0' },
  }),
};
