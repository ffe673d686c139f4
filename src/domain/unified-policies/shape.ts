import { z } from 'zod';
import type { RuleboardProduct } from '#domain/policies/shape.ts';
import { line, name } from '#kernel/contract/proto-fields.ts';

/** The products of detection policies, as paths and bundles name them. */
export const DETECTION_PRODUCTS = ['code', 'secrets'] as const;
export type DetectionProduct = (typeof DETECTION_PRODUCTS)[number];

export const BOARD_PRODUCTS: Record<DetectionProduct, RuleboardProduct> = { code: 'sast', secrets: 'secrets' };

export const MAX_DETECTION_RULESETS = 1000;
export const MAX_DETECTION_RULES = 10_000;
export const MAX_DETECTION_EXCEPTIONS = 20_000;
export const MAX_POLICIES = 500;
export const MAX_CONDITION_VALUES = 5000;
const MAX_POLICY_CONDITIONS = 50;
const MAX_POLICY_ACTIONS = 20;

const path = () => line(256, 1);

/** What one project, or the projects with a tag, run besides or instead: exactly one of both is named. */
export const DetectionException = z.object({
  exception_type: z.string(),
  project: z.string().optional(),
  project_tag_name: z.string().optional(),
  rule: z.string(),
  rule_type: z.string(),
});
export type DetectionException = z.output<typeof DetectionException>;

export const DetectionBundle = z.object({
  deployment_slug: z.string(),
  product: z.string(),
  rulesets: z.array(z.string()),
  rules: z.array(z.string()),
  disabled: z.array(z.string()),
  exceptions: z.array(DetectionException),
});
export type DetectionBundle = z.output<typeof DetectionBundle>;

/** A detection policy as a request gives it: what is absent is empty. */
export const DetectionBundleDraft = z.object({
  deployment_slug: z.string().max(64).optional(),
  product: z.string().max(64).optional(),
  rulesets: z.array(path()).max(MAX_DETECTION_RULESETS).optional(),
  rules: z.array(path()).max(MAX_DETECTION_RULES).optional(),
  disabled: z.array(path()).max(MAX_DETECTION_RULES).optional(),
  exceptions: z
    .array(
      z.object({
        exception_type: line(64),
        project: line(512, 1).optional(),
        project_tag_name: line(256, 1).optional(),
        rule: path(),
        rule_type: line(64),
      }),
    )
    .max(MAX_DETECTION_EXCEPTIONS)
    .optional(),
});
export type DetectionBundleDraft = z.output<typeof DetectionBundleDraft>;

export const DetectionChangeKey = z.object({
  product: z.string().optional(),
  scope_type: z.string().optional(),
  scope_target: z.string().optional(),
  rule: z.string().optional(),
  rule_type: z.string().optional(),
});

export const DetectionChangeState = z.object({
  rulesets: z.array(z.string()).optional(),
  rules: z.array(z.string()).optional(),
  disabled: z.array(z.string()).optional(),
  exception_type: z.string().optional(),
});

/** One difference between the stored detection policy and a bundle. */
export const DetectionChange = z.object({
  kind: z.string(),
  key: DetectionChangeKey,
  before: DetectionChangeState.optional(),
  after: DetectionChangeState.optional(),
});
export type DetectionChange = z.output<typeof DetectionChange>;

export const RemediationCondition = z.object({ type: z.string(), values: z.array(z.string()), mode: z.string() });
export const RemediationAction = z.object({ type: z.string(), config: z.record(z.string(), z.string()) });

/** What happens to findings that meet conditions: an automation that runs after scans, in words. */
export const RemediationPolicy = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  filters: z.object({ mode: z.string(), conditions: z.array(RemediationCondition) }),
  actions: z.array(RemediationAction),
});
export type RemediationPolicy = z.output<typeof RemediationPolicy>;

export const RemediationBundle = z.object({ deployment_slug: z.string(), policies: z.array(RemediationPolicy) });

/** A remediation policy as a request gives it. */
export const RemediationPolicyDraft = z.object({
  slug: line(256).optional(),
  name: name(),
  description: z.string().max(2000).optional(),
  active: z.boolean().optional(),
  filters: z.object({
    mode: line(64),
    conditions: z
      .array(
        z.object({
          type: line(64),
          values: z.array(line(512, 1)).min(1).max(MAX_CONDITION_VALUES),
          mode: line(64).optional(),
        }),
      )
      .min(1)
      .max(MAX_POLICY_CONDITIONS),
  }),
  actions: z
    .array(z.object({ type: line(64), config: z.record(z.string().max(64), line(1024)).optional() }))
    .min(1)
    .max(MAX_POLICY_ACTIONS),
});
export type RemediationPolicyDraft = z.output<typeof RemediationPolicyDraft>;

export const RemediationBundleDraft = z.object({
  deployment_slug: z.string().max(64).optional(),
  policies: z.array(RemediationPolicyDraft).max(MAX_POLICIES).optional(),
});

/** One difference between the stored remediation policies and a bundle. */
export const RemediationChange = z.object({
  kind: z.string(),
  key: z.object({ slug: z.string() }),
  before: RemediationPolicy.optional(),
  after: RemediationPolicy.optional(),
});
export type RemediationChange = z.output<typeof RemediationChange>;

/** Why a bundle cannot be applied. */
export const PolicyValidationError = z.object({
  code: z.string(),
  message: z.string(),
  policy_slug: z.string(),
  context: z.record(z.string(), z.string()),
});
export type PolicyValidationError = z.output<typeof PolicyValidationError>;

/** What the examples of the API description show. */
export const exampleIds = { MigratedDeployment: '1' };
