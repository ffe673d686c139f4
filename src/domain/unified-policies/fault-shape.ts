import { type FaultFactory, fault } from '#kernel/contract/fault.ts';

export const DEPLOYMENT_NOT_MIGRATED = fault(
  'DEPLOYMENT_NOT_MIGRATED',
  403,
  'This deployment does not use Unified Policies yet.',
  'Preview and then make the migration (`:previewMigration`, `:migrate`), or use RuleboardService.',
);
export const PRODUCT_NOT_ENABLED = fault(
  'PRODUCT_NOT_ENABLED',
  404,
  'The deployment has no enabled product {product} with a detection policy.',
  'Use code or secrets, and enable the product in its configuration.',
);
export const IF_MATCH_REQUIRED = fault(
  'IF_MATCH_REQUIRED',
  428,
  'The bundle replaces everything, so the request must name the version that it replaces.',
  'Send the `state_version` of the bundle that you read in the header If-Match.',
);
export const STATE_VERSION_MISMATCH = fault(
  'STATE_VERSION_MISMATCH',
  409,
  'The policies have changed since the version named in If-Match.',
  'Read the bundle again, repeat your change on it, and send the new `state_version`.',
);

const UNCHANGED = 'Correct the bundle; nothing was changed. The dry run lists all problems at once.';
const refusal = (code: string, status: 400 | 409 = 400): FaultFactory<'The bundle cannot be applied: {sentence}'> =>
  fault(code, status, 'The bundle cannot be applied: {sentence}', UNCHANGED);

/** Why bundles are refused; dry runs list them as validation errors. */
export const BUNDLE_FAULTS = {
  PRODUCT_MISMATCH: refusal('PRODUCT_MISMATCH'),
  RULESETS_NOT_ACCEPTED: refusal('RULESETS_NOT_ACCEPTED'),
  INVALID_EXCEPTION: refusal('INVALID_EXCEPTION'),
  UNKNOWN_REFERENCE: refusal('UNKNOWN_REFERENCE'),
  INVALID_SLUG: refusal('INVALID_SLUG'),
  DUPLICATE_SLUG: refusal('DUPLICATE_SLUG'),
  RESERVED_SLUG: refusal('RESERVED_SLUG', 409),
  POLICY_QUOTA: refusal('POLICY_QUOTA', 409),
  UNSUPPORTED_CONDITION_TYPE: refusal('UNSUPPORTED_CONDITION_TYPE'),
  INVALID_CONDITION_VALUE: refusal('INVALID_CONDITION_VALUE'),
  NEVER_TRUE: refusal('NEVER_TRUE'),
  UNSUPPORTED_ACTION_TYPE: refusal('UNSUPPORTED_ACTION_TYPE'),
  MISSING_DEPENDENT_ACTION: refusal('MISSING_DEPENDENT_ACTION'),
  INVALID_ACTION_CONFIG: refusal('INVALID_ACTION_CONFIG'),
} as const;
export type BundleFaultCode = keyof typeof BUNDLE_FAULTS;

export const MIGRATION_TOO_LARGE = fault(
  'MIGRATION_TOO_LARGE',
  409,
  'The ruleboards would become {sentence}.',
  'Use rulesets instead of single rules on boards with many projects, or delete boards and automations that are no ' +
    'longer needed; nothing was changed.',
);
