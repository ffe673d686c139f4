import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const report = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'checker', rules: [{ id: 'no-eval', defaultConfiguration: { level: 'error' } }] } },
      results: [
        {
          ruleId: 'no-eval',
          message: { text: 'eval runs whatever it is given.' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/app.js' },
                region: { startLine: 3, snippet: { text: 'eval(input)' } },
              },
            },
          ],
        },
      ],
    },
  ],
};

export const examples: Examples<typeof contract> = {
  importReport: (of) => ({
    path: { deployment: of('Deployment') },
    query: { project: `acme/web-${of('Fresh')}`, ref: 'main', commit: '3f2c1ab0', format: 'sarif' },
    upload: JSON.stringify(report),
  }),
  undoImport: (of) => ({ path: { deployment: of('Deployment'), scanId: of('TrackedScan') } }),
  replayImport: (of) => ({ path: { deployment: of('Deployment'), scanId: of('TrackedScan') } }),
};
