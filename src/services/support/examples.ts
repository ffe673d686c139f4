import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  createSupportCase: (of) => ({
    body: {
      subject: 'The nightly scan takes four hours',
      description: 'Since Monday. It used to take twenty minutes.',
      type: 'TYPE_QUESTION',
      priority: 'PRIORITY_HIGH',
      deploymentId: of('Deployment'),
    },
  }),
  listSupportCases: (of) => ({ path: { orgid: of('Deployment') } }),
};
