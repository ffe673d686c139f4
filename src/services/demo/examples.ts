import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  createDemo: () => ({}),
  getDemo: (of) => ({ path: { deploymentId: of('DemoDeployment') } }),
  deleteDemo: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
