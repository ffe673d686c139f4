import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const RULE = 'python.lang.security.audit.eval-detected.eval-detected';

export const examples: Examples<typeof contract> = {
  listPolicies: (of) => ({ path: { deploymentId: of('UnmigratedDeployment') } }),
  listPolicyRules: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), policyId: of('Policy') },
    query: { limit: '500', cursor: '' },
  }),
  updatePolicyRule: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), policyId: of('Policy'), rulePath: RULE },
    body: { policyMode: 'MODE_BLOCK' },
  }),
  listPoliciesV1: (of) => ({ path: { deploymentId: of('UnmigratedDeployment') } }),
  listPolicyRulesV1: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), policyId: of('Policy') },
    query: { limit: '500', cursor: '' },
  }),
  updatePolicyV1: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), policyId: of('Policy') },
    body: { policyMode: 'MODE_COMMENT', rulePath: RULE },
  }),
};
