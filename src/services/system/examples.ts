import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getSystemStatus: (of) => ({ path: { deploymentId: of('Deployment') } }),
  listSystemWarnings: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
