import { lockPolicies } from '#domain/policies/unified-policies.ts';
import {
  refuseProblems,
  refuseStale,
  requireIfMatch,
  requireMigration,
  validationErrorsOf,
} from '#domain/unified-policies/policy-checks.ts';
import { loadPolicyNames } from '#domain/unified-policies/policy-names.ts';
import { policiesOf } from '#domain/unified-policies/remediation-bundle.ts';
import {
  applyRemediation,
  loadPolicies,
  planRemediation,
  type StoredPolicies,
} from '#domain/unified-policies/remediation-plan.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import type * as contract from './contract.ts';
import { slugOfDeployment } from './deployment-slug.ts';

type ReadCall = Pick<Call, 'tx' | 'caller'>;

/** The bundle as the caller may see it: the names of other projects stay numbers, as in AutomationsService. */
async function versionedBundle(call: ReadCall, { automations, policies, stateVersion }: StoredPolicies) {
  const { tx, caller } = call;
  const visible = caller.seesEverything
    ? policies
    : policiesOf(automations, await loadPolicyNames(tx, { deployment: caller.deployment, caller }, automations));
  return {
    bundle: { deployment_slug: await slugOfDeployment(call), policies: visible },
    state_version: stateVersion,
  };
}

export async function show(call: ReadCall) {
  const { tx, caller } = call;
  await requireMigration(tx, caller.deployment);
  return versionedBundle(call, await loadPolicies(tx, caller.deployment, false));
}

export async function apply({ body, tx, caller, now, answer }: Call<typeof contract.applyRemediationPolicies>) {
  const { deployment } = caller;
  await requireMigration(tx, deployment);
  const expected = requireIfMatch(answer);
  await lockPolicies(tx, deployment);
  const stored = await loadPolicies(tx, deployment, true);
  refuseStale(expected, stored.stateVersion);
  const plan = await planRemediation(tx, { deployment, stored }, body.bundle.policies ?? []);
  refuseProblems(plan.problems);
  await applyRemediation(tx, { deployment, by: caller.name, at: now }, plan);
  answer.recordEffect({ object: 'remediation-policies', after: plan.diff });
  return versionedBundle({ tx, caller }, await loadPolicies(tx, deployment, false));
}

export async function dryRun({ body, tx, caller }: Call<typeof contract.dryRunRemediationPolicies>) {
  const { deployment } = caller;
  await requireMigration(tx, deployment);
  const stored = await loadPolicies(tx, deployment, false);
  const { diff, problems } = await planRemediation(tx, { deployment, stored }, body.bundle.policies ?? []);
  return { ...diff, state_version: stored.stateVersion, validation_errors: validationErrorsOf(problems) };
}
