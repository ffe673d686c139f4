import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  receiveScmDelivery: (of) => ({
    path: { hookKey: of('ScmHook') },
    upload: JSON.stringify({ action: 'opened', number: 5, repository: { id: 42 } }),
  }),
};
