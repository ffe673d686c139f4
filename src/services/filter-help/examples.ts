import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  helpWithFilter: (of) => ({
    path: { deployment: of('Deployment') },
    query: { q: 'is:open severity:high project:', cursorAt: 30 },
  }),
};
