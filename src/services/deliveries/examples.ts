import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listDestinations: (of) => ({ path: { deploymentId: of('Deployment') } }),
  listDeliveries: (of) => ({ path: { deploymentId: of('Deployment') }, query: { state: ['failed'], limit: '100' } }),
  getDelivery: (of) => ({ path: { deploymentId: of('Deployment'), deliveryId: of('Delivery') } }),
  listFindingDeliveries: (of) => ({ path: { deploymentId: of('Deployment'), findingId: of('Finding') } }),
  replayDeliveries: (of) => ({ path: { deploymentId: of('Deployment') }, body: { deliveryIds: [of('Delivery')] } }),
  releaseDeliveries: (of) => ({ path: { deploymentId: of('Deployment') }, body: { deliveryIds: [of('Delivery')] } }),
  dismissDeliveries: (of) => ({ path: { deploymentId: of('Deployment') }, body: { deliveryIds: [of('Delivery')] } }),
};
