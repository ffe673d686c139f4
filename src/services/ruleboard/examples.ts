import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const EVAL_DETECTED = 'python.lang.security.audit.eval-detected.eval-detected';

export const examples: Examples<typeof contract> = {
  listRuleboards: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment') },
    query: { type: 'RULEBOARD_TYPE_SAST' },
  }),
  createRuleboard: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment') },
    body: { name: `Payments ${of('Fresh')}`, assigned_repos: [of('Project')] },
  }),
  deleteRuleboard: (of) => ({ path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') } }),
  getRuleboard: (of) => ({ path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') } }),
  updateRuleboard: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') },
    body: {
      changes: [
        { item: { id: EVAL_DETECTED, type: 'rule' }, policy: 'rule-board-block', update_type: 'add' },
        { item: { id: 'p/owasp-top-ten', type: 'ruleset' }, policy: 'rule-board-audit', update_type: 'add' },
      ],
    },
  }),
  getRuleboardFindingCounts: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') },
    query: { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
  }),
  getRuleboardOverview: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') },
  }),
  updateRuleboardOverview: (of) => ({
    path: { deploymentId: of('UnmigratedDeployment'), ruleboardSlug: of('Ruleboard') },
    body: { name: `Checkout ${of('Fresh')}`, assigned_repos: [of('Project')] },
  }),
};
