import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getMailSettings: (of) => ({ path: { deploymentId: of('Deployment') } }),
  updateMailSettings: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { findings: 'daily', timeZone: 'Europe/Berlin', hour: 8 },
  }),
  showUnsubscribe: (of) => ({ path: { token: of('UnsubscribeToken') } }),
  unsubscribe: (of) => ({ path: { token: of('UnsubscribeToken') } }),
};
