import { missingExclusion, type References, resolveReferences } from '#domain/automations/conditions/references.ts';
import type { AutomationAction, AutomationFilters } from '#domain/automations/shape.ts';
import * as automations from '#domain/automations/store.ts';
import type { RuleboardProduct, RuleMode } from '#domain/policies/shape.ts';
import { isStricter } from '#domain/rules/rules.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { compileFilters, type RuleFacts } from './policy-truth.ts';

/** What of an automation decides about comments and blocking. */
export interface EnforcingPolicy {
  filters: AutomationFilters;
  actions: readonly Pick<AutomationAction, 'type'>[];
}

/** The strictest thing that a policy does to a pull request; undefined if it does neither. */
export function enforcementOf({ actions }: Pick<EnforcingPolicy, 'actions'>): 'block' | 'comment' | undefined {
  if (actions.some(({ type }) => type === 'ACTION_TYPE_BLOCK')) return 'block';
  return actions.some(({ type }) => type === 'ACTION_TYPE_PR_COMMENT') ? 'comment' : undefined;
}

/** The automations that block or comment after scans. Simulated ones do nothing. */
export async function listEnforcing(tx: Tx, deployment: string): Promise<automations.StoredAutomation[]> {
  const all = await automations.listRunnable(tx, deployment, 'TRIGGER_SOURCE_SCAN');
  return all.filter((automation) => automation.mode === 'live' && enforcementOf(automation) !== undefined);
}

export interface ResolvedPolicies<Policy extends EnforcingPolicy = EnforcingPolicy> {
  policies: readonly Policy[];
  references: References;
}

/** Resolves what the policies name. A policy that excludes what no longer exists could match too much, so it rests. */
export async function resolvePolicies<Policy extends EnforcingPolicy>(
  tx: Tx,
  deployment: string,
  policies: readonly Policy[],
): Promise<ResolvedPolicies<Policy>> {
  const references = await resolveReferences(
    tx,
    deployment,
    policies.map(({ filters }) => filters),
  );
  return {
    policies: policies.filter(({ filters }) => missingExclusion(filters, references) === undefined),
    references,
  };
}

/** The mode of a rule in a project that is certain before its findings are known. */
export function certainModes({
  policies,
  references,
}: ResolvedPolicies): (project: string | undefined, product: RuleboardProduct) => (facts: RuleFacts) => RuleMode {
  const compiled = policies.flatMap((policy) => {
    const mode = enforcementOf(policy);
    return mode === undefined ? [] : [{ mode, verdictsFor: compileFilters(policy.filters, references) }];
  });
  return (project, product) => {
    const relevant = compiled.flatMap(({ mode, verdictsFor }) => {
      const verdict = verdictsFor(project, product);
      return verdict === false || verdict === undefined ? [] : [{ mode, verdict }];
    });
    return (facts) => {
      let strictest: RuleMode = 'monitor';
      for (const { mode, verdict } of relevant)
        if (isStricter(mode, strictest) && (verdict === true || verdict(facts) === true)) strictest = mode;
      return strictest;
    };
  };
}
