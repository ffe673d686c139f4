import type { ExampleIdOf, Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const automation = (of: ExampleIdOf) => ({
  name: 'Tell the payments team about what matters',
  description: 'New severe findings of the payments service.',
  active: true,
  triggerSource: 'TRIGGER_SOURCE_SCAN' as const,
  filters: {
    mode: 'MODE_ALL' as const,
    conditions: [
      { type: 'CONDITION_TYPE_SEVERITY' as const, mode: 'MODE_ANY' as const, values: ['critical', 'high'] },
      { type: 'CONDITION_TYPE_REPOSITORY_ID' as const, mode: 'MODE_ANY' as const, values: [of('Project')] },
    ],
  },
  actions: [
    { type: 'ACTION_TYPE_PR_COMMENT' as const, config: {} },
    { type: 'ACTION_TYPE_JIRA' as const, config: { project_id: '10001', credential_slug: 'acme-jira' } },
  ],
});

export const examples: Examples<typeof contract> = {
  listAutomations: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createAutomation: (of) => ({ path: { deploymentId: of('Deployment') }, body: { automation: automation(of) } }),
  updateAutomation: (of) => ({
    path: { deploymentId: of('Deployment'), automationId: of('Automation') },
    body: { automation: automation(of) },
  }),
  deleteAutomation: (of) => ({ path: { deploymentId: of('Deployment'), automationId: of('Automation') } }),
  restoreAutomation: (of) => ({
    path: { deploymentId: of('Deployment'), deletedAutomationId: of('DeletedAutomation') },
  }),
  listAutomationsV2: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { cursor: '', limit: '100' },
  }),
};
