import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listScmWebhookSubscription: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmConfig') } }),
  scmWebhookSubscriptionSubscribe: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmConfig') } }),
  scmWebhookSubscriptionUnsubscribe: (of) => ({
    path: { deploymentId: of('Deployment'), configId: of('ScmSubscription') },
  }),
  rotateScmWebhookSecret: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmSubscription') } }),
};
