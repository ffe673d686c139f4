import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getTaskResult: (of) => ({ path: { taskTokenJwt: of('TaskToken') } }),
  downloadTaskResult: (of) => ({ path: { ticket: of('TaskTicket') } }),
};
