import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const SHIPPED = 'parapet.python.code-injection-request';

export const examples: Examples<typeof contract> = {
  getRuleset: () => ({ path: { name: 'default' } }),
  getRule: () => ({ path: { name: SHIPPED } }),
  getSharedRule: () => ({ path: { name: SHIPPED } }),
  getConfig: () => ({ path: { name: 'p/default' } }),
  publishRule: (of) => ({
    body: {
      definition: {
        rules: [
          {
            id: `acme.no-eval-${of('Fresh')}`,
            languages: ['python'],
            severity: 'ERROR',
            message: 'eval runs whatever it is given.',
            pattern: 'eval(...)',
          },
        ],
      },
      visibility: 'org_private',
      language: 'python',
    },
  }),
};
