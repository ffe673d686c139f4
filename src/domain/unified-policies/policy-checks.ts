import { findMigratedAt } from '#domain/policies/unified-policies.ts';
import * as products from '#domain/products/store.ts';
import type { Fault } from '#kernel/contract/fault.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Answer } from '#kernel/http/pipeline/answer.ts';
import {
  BUNDLE_FAULTS,
  type BundleFaultCode,
  DEPLOYMENT_NOT_MIGRATED,
  IF_MATCH_REQUIRED,
  PRODUCT_NOT_ENABLED,
  STATE_VERSION_MISMATCH,
} from './fault-shape.ts';
import { BOARD_PRODUCTS, DETECTION_PRODUCTS, type DetectionProduct, type PolicyValidationError } from './shape.ts';

/** One reason why a bundle cannot be applied. */
export interface BundleProblem {
  code: BundleFaultCode;
  message: string;
  /** The policy, where it is about one. */
  slug?: string | undefined;
  context?: Record<string, string>;
  /** Members of the error body that existing clients read. */
  members?: Record<string, unknown>;
}

const MAX_LISTED_PROBLEMS = 200;

export const validationErrorsOf = (problems: readonly BundleProblem[]): PolicyValidationError[] =>
  problems.slice(0, MAX_LISTED_PROBLEMS).map(({ code, message, slug = '', context = {} }) => ({
    code,
    message,
    policy_slug: slug,
    context,
  }));

/** Refuses the bundle with the code of its first problem. */
export function refuseProblems(problems: readonly BundleProblem[]): void {
  const [first] = problems;
  if (!first) return;
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  throw BUNDLE_FAULTS[first.code](
    { sentence: `${first.message}${more}` },
    { members: { ...first.members, validation_errors: validationErrorsOf(problems) } },
  );
}

/** Things that a bundle names and that do not exist, as one problem. */
export const unknownReferences = (
  missing: readonly { kind: string; value: string }[],
  slug?: string,
): BundleProblem[] => {
  if (missing.length === 0) return [];
  const listed = missing.slice(0, MAX_LISTED_PROBLEMS);
  const texts = listed.map(({ kind, value }) => `${kind} ${value}`);
  return [
    {
      code: 'UNKNOWN_REFERENCE',
      message: `there is no ${texts.slice(0, 5).join(', no ')}${texts.length > 5 ? ', and others' : ''}`,
      slug,
      context: { missing_references: texts.join(', ') },
      members: { missing_references: listed },
    },
  ];
};

export async function requireMigration(tx: Tx, deployment: string): Promise<void> {
  if ((await findMigratedAt(tx, deployment)) === undefined) throw DEPLOYMENT_NOT_MIGRATED();
}

/** The products of the deployment that have a detection policy. */
export async function enabledDetectionProducts(tx: Tx, deployment: string): Promise<DetectionProduct[]> {
  const { settings } = await products.find(tx, deployment);
  return DETECTION_PRODUCTS.filter((product) => settings[BOARD_PRODUCTS[product]].enabled);
}

/** The product that a path names, if it is enabled. */
export async function requireProduct(tx: Tx, deployment: string, name: string): Promise<DetectionProduct> {
  const product = (await enabledDetectionProducts(tx, deployment)).find((one) => one === name);
  if (product === undefined) throw PRODUCT_NOT_ENABLED({ product: name });
  return product;
}

const mismatch = (current: string): Fault => STATE_VERSION_MISMATCH({ members: { current_state_version: current } });

/** Refuses a write that does not name the version it replaces, before the policies are locked. */
export function requireIfMatch(answer: Pick<Answer, 'expectedVersions'>): readonly string[] {
  const { expectedVersions } = answer;
  if (expectedVersions === undefined || expectedVersions.every((version) => version === '')) throw IF_MATCH_REQUIRED();
  return expectedVersions;
}

/** Refuses a write that names another version than the current one. The policies are locked. */
export function refuseStale(expected: readonly string[], current: string): void {
  if (!expected.includes(current)) throw mismatch(current);
}
