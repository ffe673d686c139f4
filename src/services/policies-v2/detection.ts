import { lockPolicies } from '#domain/policies/unified-policies.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import { bundleOf, detectionVersionOf, parseDetection } from '#domain/unified-policies/detection-bundle.ts';
import { diffDetection, emptyDiff } from '#domain/unified-policies/detection-diff.ts';
import type { DetectionPolicy } from '#domain/unified-policies/detection-store.ts';
import * as store from '#domain/unified-policies/detection-store.ts';
import {
  enabledDetectionProducts,
  refuseProblems,
  refuseStale,
  requireIfMatch,
  requireMigration,
  requireProduct,
  validationErrorsOf,
} from '#domain/unified-policies/policy-checks.ts';
import {
  BOARD_PRODUCTS,
  type DetectionBundle,
  type DetectionChange,
  type DetectionProduct,
} from '#domain/unified-policies/shape.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type * as contract from './contract.ts';
import { slugOfDeployment } from './deployment-slug.ts';

type ReadCall = Pick<Call, 'tx' | 'caller'>;

/** The exceptions that the caller may see: those of tags, and of visible projects. */
async function visiblePolicy({ tx, caller }: ReadCall, policy: DetectionPolicy): Promise<DetectionPolicy> {
  if (caller.seesEverything) return policy;
  const projects = policy.exceptions.flatMap(({ projectId }) => projectId ?? []);
  const hidden = await findUnknownProjects(tx, caller, projects);
  return {
    ...policy,
    exceptions: policy.exceptions.filter(({ projectId }) => projectId === undefined || !hidden.has(projectId)),
  };
}

async function versionedBundle(call: ReadCall, product: DetectionProduct, policy: DetectionPolicy) {
  const bundle: DetectionBundle = {
    deployment_slug: await slugOfDeployment(call),
    ...bundleOf(product, await visiblePolicy(call, policy)),
  };
  return { bundle, state_version: detectionVersionOf(product, policy) };
}

const EMPTY: DetectionPolicy = { rulesets: [], rules: [], disabled: [], exceptions: [] };

export async function summarize(call: ReadCall) {
  const { tx, caller } = call;
  await requireMigration(tx, caller.deployment);
  const policies = await store.listAll(tx, caller.deployment);
  const bundles: Partial<Record<DetectionProduct, Awaited<ReturnType<typeof versionedBundle>>>> = {};
  for (const product of await enabledDetectionProducts(tx, caller.deployment))
    bundles[product] = await versionedBundle(call, product, policies.get(BOARD_PRODUCTS[product]) ?? EMPTY);
  return { deployment_slug: await slugOfDeployment(call), ...bundles };
}

/** The stored policy of the product that the path names. */
async function loadDetection({ tx, caller }: ReadCall, name: string) {
  await requireMigration(tx, caller.deployment);
  const product = await requireProduct(tx, caller.deployment, name);
  const before = await store.find(tx, caller.deployment, BOARD_PRODUCTS[product]);
  return { deployment: caller.deployment, product, before };
}

export async function show(call: ReadCall, name: string) {
  const { product, before } = await loadDetection(call, name);
  return versionedBundle(call, product, before);
}

export async function apply({ path, body, tx, caller, answer }: Call<typeof contract.applyDetectionPolicy>) {
  await requireMigration(tx, caller.deployment);
  const expected = requireIfMatch(answer);
  await lockPolicies(tx, caller.deployment);
  const target = await loadDetection({ tx, caller }, path.product);
  const { product, before } = target;
  refuseStale(expected, detectionVersionOf(product, before));
  const { policy, problems } = await parseDetection(tx, target, body.bundle);
  refuseProblems(problems);
  const diff = diffDetection(bundleOf(product, before), bundleOf(product, policy));
  await store.save(tx, { deployment: target.deployment, product: BOARD_PRODUCTS[product], by: caller.name }, policy);
  answer.recordEffect({ object: `detection-policy/${product}`, after: diff });
  return versionedBundle({ tx, caller }, product, policy);
}

export async function dryRun({ path, body, tx, caller }: Call<typeof contract.dryRunDetectionPolicy>) {
  const target = await loadDetection({ tx, caller }, path.product);
  const { product, before } = target;
  const { policy, problems } = await parseDetection(tx, target, body.bundle);
  return {
    ...(problems.length > 0
      ? emptyDiff<DetectionChange>()
      : diffDetection(bundleOf(product, before), bundleOf(product, policy))),
    state_version: detectionVersionOf(product, before),
    validation_errors: validationErrorsOf(problems),
  };
}
