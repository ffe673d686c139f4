import { z } from 'zod';
import { Policy, PolicyMode, PolicyRule, RulePath } from '#domain/policies/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit } from '#kernel/contract/proto-fields.ts';

const MAX_PAGE_SIZE = 2000;
const DEFAULT_PAGE_SIZE = 500;

export const POLICY_FULL = fault(
  'POLICY_FULL',
  409,
  'A policy can hold at most {most} rules and rulesets.',
  'Use rulesets instead of their single rules, or another policy.',
);

const deprecated = { since: '2026-01-01T00:00:00Z', successor: '/docs/api#group-PoliciesV2Service' };
const path = { deploymentId: deployment() };
const policyPath = { ...path, policyId: id('Policy') };
const paged = { cursor: cursor(), limit: limit(MAX_PAGE_SIZE, DEFAULT_PAGE_SIZE) };
const updated = { policyId: id('Policy'), updatedRule: PolicyRule };
const base = '/api/policies/v1/deployments/{deploymentId}';
const baseOfV1 = '/api/v1/deployments/{deploymentId}/policies';

const listing = {
  summary: 'List policies',
  description: 'A policy is a ruleboard; the default policies come first.',
  maturity: 'experimental',
  allow: 'policy:read',
  path,
  reply: { policies: z.array(Policy) },
  deprecated,
} as const;

export const listPolicies = operation({ route: `GET ${base}`, ...listing });

const listingRules = {
  summary: 'List the rules of a policy',
  description:
    'In order of their paths, with the rules of its rulesets; a rule that is also listed by itself has its own mode.',
  maturity: 'experimental',
  allow: 'policy:read',
  path: policyPath,
  query: paged,
  reply: { policy: Policy, rules: z.array(PolicyRule), cursor: cursor() },
  deprecated,
} as const;

export const listPolicyRules = operation({ route: `GET ${base}/{policyId}/rules`, ...listingRules });

const updating = {
  summary: 'Set the mode of a rule',
  description: 'A rule that the policy does not have yet is added to it; its other rules and rulesets are unchanged.',
  maturity: 'experimental',
  allow: 'policy:manage',
  reply: updated,
  faults: [POLICY_FULL],
  deprecated,
} as const;

export const updatePolicyRule = operation({
  route: `PUT ${base}/{policyId}/rules/{rulePath...}`,
  ...updating,
  path: { ...policyPath, rulePath: RulePath },
  body: { policyMode: PolicyMode },
});

export const listPoliciesV1 = operation({ route: `GET ${baseOfV1}`, ...listing });

export const listPolicyRulesV1 = operation({ route: `GET ${baseOfV1}/{policyId}`, ...listingRules });

export const updatePolicyV1 = operation({
  route: `PUT ${baseOfV1}/{policyId}`,
  ...updating,
  path: policyPath,
  body: {
    deploymentId: id('Deployment').optional(),
    policyId: id('Policy').optional(),
    policyMode: PolicyMode,
    rulePath: RulePath,
  },
});
