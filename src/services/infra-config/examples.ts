import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getBootstrapSmsVpc: () => ({}),
  getV1BootstrapSmsVpc: () => ({}),
};
