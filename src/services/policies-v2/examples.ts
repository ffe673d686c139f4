import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const detection = {
  rulesets: ['p/default'],
  rules: ['parapet.go.weak-cipher'],
  disabled: ['parapet.java.weak-cipher'],
};

const remediation = {
  policies: [
    {
      name: 'Block high-confidence criticals',
      filters: {
        mode: 'all',
        conditions: [
          { type: 'severity', values: ['critical'] },
          { type: 'confidence', values: ['high'], mode: 'any' },
        ],
      },
      actions: [{ type: 'block' }, { type: 'pr_comment' }],
    },
  ],
};

export const examples: Examples<typeof contract> = {
  getDetectionPolicySummary: (of) => ({ path: { deploymentId: of('MigratedDeployment') } }),
  getDetectionPolicy: (of) => ({ path: { deploymentId: of('MigratedDeployment'), product: 'code' } }),
  applyDetectionPolicy: (of) => ({
    path: { deploymentId: of('MigratedDeployment'), product: 'code' },
    body: { bundle: { ...detection, deployment_slug: of('Fresh') } },
  }),
  dryRunDetectionPolicy: (of) => ({
    path: { deploymentId: of('MigratedDeployment'), product: 'code' },
    body: { bundle: detection },
  }),
  getRemediationPolicies: (of) => ({ path: { deploymentId: of('MigratedDeployment') } }),
  applyRemediationPolicies: (of) => ({
    path: { deploymentId: of('MigratedDeployment') },
    body: { bundle: { ...remediation, deployment_slug: of('Fresh') } },
  }),
  dryRunRemediationPolicies: (of) => ({
    path: { deploymentId: of('MigratedDeployment') },
    body: { bundle: remediation },
  }),
  getVocab: (of) => ({ path: { deploymentId: of('MigratedDeployment') }, query: { product: 'remediation' } }),
  previewMigration: (of) => ({ path: { deploymentId: of('UnmigratedDeployment') } }),
  migrateDeployment: (of) => ({ path: { deploymentId: of('UnmigratedDeployment') } }),
};
