import { z } from 'zod';
import {
  BUNDLE_FAULTS,
  DEPLOYMENT_NOT_MIGRATED,
  IF_MATCH_REQUIRED,
  MIGRATION_TOO_LARGE,
  PRODUCT_NOT_ENABLED,
  STATE_VERSION_MISMATCH,
} from '#domain/unified-policies/fault-shape.ts';
import {
  DetectionBundle,
  DetectionBundleDraft,
  DetectionChange,
  PolicyValidationError,
  RemediationBundle,
  RemediationBundleDraft,
  RemediationChange,
  RemediationPolicy,
} from '#domain/unified-policies/shape.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, line, timestamp } from '#kernel/contract/proto-fields.ts';

const DETECTION_FAULTS = [
  BUNDLE_FAULTS.PRODUCT_MISMATCH,
  BUNDLE_FAULTS.RULESETS_NOT_ACCEPTED,
  BUNDLE_FAULTS.INVALID_EXCEPTION,
  BUNDLE_FAULTS.UNKNOWN_REFERENCE,
];
const REMEDIATION_FAULTS = [
  BUNDLE_FAULTS.INVALID_SLUG,
  BUNDLE_FAULTS.DUPLICATE_SLUG,
  BUNDLE_FAULTS.RESERVED_SLUG,
  BUNDLE_FAULTS.POLICY_QUOTA,
  BUNDLE_FAULTS.UNSUPPORTED_CONDITION_TYPE,
  BUNDLE_FAULTS.INVALID_CONDITION_VALUE,
  BUNDLE_FAULTS.NEVER_TRUE,
  BUNDLE_FAULTS.UNSUPPORTED_ACTION_TYPE,
  BUNDLE_FAULTS.MISSING_DEPENDENT_ACTION,
  BUNDLE_FAULTS.INVALID_ACTION_CONFIG,
  BUNDLE_FAULTS.UNKNOWN_REFERENCE,
];
const VERSION_FAULTS = [IF_MATCH_REQUIRED, STATE_VERSION_MISMATCH];

const MAX_BUNDLE_BYTES = 8 * 1024 * 1024;

const base = '/api/policies/v2/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const productPath = { ...path, product: line(64, 1) };

/** A detection policy with the version that a change of it must name. */
export const VersionedDetectionBundle = z.object({ bundle: DetectionBundle, state_version: z.string() });

export const getDetectionPolicySummary = operation({
  route: `GET ${base}/detection-policy`,
  summary: 'Get the detection policies of all products',
  description:
    'A product that is not enabled is absent. Exceptions of projects that the caller does not see are left out.',
  maturity: 'beta',
  allow: 'policy:read',
  path,
  reply: {
    deployment_slug: z.string(),
    code: VersionedDetectionBundle.optional(),
    secrets: VersionedDetectionBundle.optional(),
  },
  faults: [DEPLOYMENT_NOT_MIGRATED],
});

export const getDetectionPolicy = operation({
  route: `GET ${base}/detection-policy/{product}`,
  summary: 'Get the detection policy of a product',
  description:
    'The product is code or secrets. Scans run the rules of `rulesets` and `rules` without those in `disabled`, and ' +
    'then the exceptions apply: one of a project wins over one of a tag, one of a rule over one of a pack, and ' +
    'exclude over include; an include also wins over `disabled`.',
  maturity: 'beta',
  allow: 'policy:read',
  path: productPath,
  reply: VersionedDetectionBundle.shape,
  faults: [DEPLOYMENT_NOT_MIGRATED, PRODUCT_NOT_ENABLED],
});

export const applyDetectionPolicy = operation({
  route: `PUT ${base}/detection-policy/{product}`,
  summary: 'Replace the detection policy of a product',
  description:
    'What is absent from the bundle is deleted. If-Match names the `state_version` that the bundle replaces. ' +
    'Names of rules, projects and tags must exist, unless the policy already has them.',
  maturity: 'beta',
  allow: 'policy:manage',
  isStrict: true,
  requiresIfMatch: true,
  path: productPath,
  body: { bundle: DetectionBundleDraft },
  bodyLimitBytes: MAX_BUNDLE_BYTES,
  reply: VersionedDetectionBundle.shape,
  faults: [DEPLOYMENT_NOT_MIGRATED, PRODUCT_NOT_ENABLED, ...VERSION_FAULTS, ...DETECTION_FAULTS],
});

export const dryRunDetectionPolicy = operation({
  route: `POST ${base}/detection-policy/{product}:dryRun`,
  summary: 'Show what a detection policy would change',
  description:
    'Lists every problem of the bundle in `validation_errors`; then there are no changes. `state_version` is the ' +
    'version that the bundle was compared with.',
  maturity: 'beta',
  allow: 'policy:manage',
  isRead: true,
  isStrict: true,
  path: productPath,
  body: { bundle: DetectionBundleDraft },
  bodyLimitBytes: MAX_BUNDLE_BYTES,
  reply: {
    creates: z.array(DetectionChange),
    updates: z.array(DetectionChange),
    deletes: z.array(DetectionChange),
    state_version: z.string(),
    validation_errors: z.array(PolicyValidationError),
  },
  faults: [DEPLOYMENT_NOT_MIGRATED, PRODUCT_NOT_ENABLED],
});

export const getRemediationPolicies = operation({
  route: `GET ${base}/remediation-policies`,
  summary: 'Get the remediation policies',
  description:
    'The automations that run after scans and that a bundle has words for, in order of their slugs; others are ' +
    'managed by AutomationsService. Projects, tags and webhooks are given by name.',
  maturity: 'beta',
  allow: 'automation:read',
  path,
  reply: { bundle: RemediationBundle, state_version: z.string() },
  faults: [DEPLOYMENT_NOT_MIGRATED],
});

export const applyRemediationPolicies = operation({
  route: `PUT ${base}/remediation-policies`,
  summary: 'Replace the remediation policies',
  description:
    'Policies that are absent from the bundle are deleted. If-Match names the `state_version` that the bundle ' +
    'replaces. The slug identifies a policy; without one, it is derived from the name, or is that of the policy with ' +
    'this name. Conditions hold for `any` or `none` of their values; `active` is true unless given.',
  maturity: 'beta',
  allow: 'automation:manage',
  isStrict: true,
  requiresIfMatch: true,
  path,
  body: { bundle: RemediationBundleDraft },
  bodyLimitBytes: MAX_BUNDLE_BYTES,
  reply: { bundle: RemediationBundle, state_version: z.string() },
  faults: [DEPLOYMENT_NOT_MIGRATED, ...VERSION_FAULTS, ...REMEDIATION_FAULTS],
});

export const dryRunRemediationPolicies = operation({
  route: `POST ${base}/remediation-policies:dryRun`,
  summary: 'Show what remediation policies would change',
  description:
    'Lists every problem of the bundle in `validation_errors`; then there are no changes. `state_version` is the ' +
    'version that the bundle was compared with.',
  maturity: 'beta',
  allow: 'automation:manage',
  isRead: true,
  isStrict: true,
  path,
  body: { bundle: RemediationBundleDraft },
  bodyLimitBytes: MAX_BUNDLE_BYTES,
  reply: {
    creates: z.array(RemediationChange),
    updates: z.array(RemediationChange),
    deletes: z.array(RemediationChange),
    state_version: z.string(),
    validation_errors: z.array(PolicyValidationError),
  },
  faults: [DEPLOYMENT_NOT_MIGRATED],
});

export const getVocab = operation({
  route: `GET ${base}/vocab`,
  summary: 'List the words of bundles',
  description:
    'With the product `remediation` also the values of conditions that have a closed list; with `code` or `secrets` ' +
    'also what a detection policy of that product accepts.',
  maturity: 'beta',
  allow: 'policy:read',
  path,
  query: { product: z.enum(['code', 'secrets', 'remediation']).optional() },
  reply: {
    condition_types: z.array(z.object({ type: z.string(), description: z.string() })),
    action_types: z.array(z.object({ type: z.string(), description: z.string(), requires: z.array(z.string()) })),
    value_enums: z.array(z.object({ type: z.string(), values: z.array(z.string()) })).optional(),
    detection_constraints: z
      .object({
        rulesets_accepted: z.boolean(),
        exception_types: z.array(z.string()),
        rule_types: z.array(z.string()),
      })
      .optional(),
  },
  faults: [DEPLOYMENT_NOT_MIGRATED],
});

export const previewMigration = operation({
  route: `GET ${base}:previewMigration`,
  summary: 'Show what the migration to Unified Policies would make',
  description:
    'The detection and remediation policies that the ruleboards would become. The rules that run for each group of ' +
    'projects with the same boards, and their modes, were compared and are the same before and after.',
  maturity: 'beta',
  allow: 'policy:manage',
  path,
  reply: {
    migratedAt: timestamp().optional(),
    detectionPolicies: z.array(DetectionBundle),
    remediationPolicies: z.array(RemediationPolicy),
    comparedGroups: count(),
  },
  faults: [MIGRATION_TOO_LARGE],
  isExtension: true,
});

export const migrateDeployment = operation({
  route: `POST ${base}:migrate`,
  summary: 'Migrate a deployment to Unified Policies',
  description:
    'Irreversible: the ruleboards become the detection policies, and their modes become remediation policies; the ' +
    'rules of each project and their modes stay the same. Afterwards PoliciesService is unavailable, ' +
    'RuleboardService is for signed-in users only, and changes of boards have no effect on scans. If the deployment ' +
    'is already migrated, the reply has the time of its migration.',
  maturity: 'beta',
  allow: 'policy:manage',
  credential: 'user',
  path,
  reply: { migratedAt: timestamp() },
  faults: [MIGRATION_TOO_LARGE],
  isExtension: true,
});
