import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  confirmLogin: (of) => ({ path: { deploymentId: of('Deployment') }, body: { key: of('NewLoginKey') } }),
  collectToken: (of) => ({ body: { token_request_key: of('LoginKey') } }),
};
