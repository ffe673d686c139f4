import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  runPattern: () => ({
    body: {
      pattern: [
        'rules:',
        '  - id: same-on-both-sides',
        '    pattern: $X == $X',
        '    message: Both sides are the same.',
        '    languages: [python]',
        '    severity: ERROR',
        '',
      ].join('\n'),
      target: '# ruleid: same-on-both-sides\nif total == total:\n    pass\n',
      language: 'python',
      isDeep: false,
      isDebug: false,
    },
  }),
  getEditorEngine: () => ({}),
  saveRule: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      definition: {
        rules: [
          {
            id: `same-on-both-sides-${of('Fresh')}`,
            pattern: '$X == $X',
            message: 'Both sides are the same.',
            languages: ['python'],
            severity: 'ERROR',
          },
        ],
      },
      test_target: 'if total == total:\n    pass\n',
    },
  }),
};
