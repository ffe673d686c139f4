import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './list-contract.ts';
import type * as v1 from './v1-contract.ts';

export const examples: Examples<typeof contract> & Examples<typeof v1> = { listDeployments: () => ({}) };
