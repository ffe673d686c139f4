import { z } from 'zod';
import { assignActionIds } from '#domain/automations/actions.ts';
import { cancelUnsentOf } from '#domain/automations/deliveries/delivery-store.ts';
import type { PolicyToWrite } from '#domain/automations/policy-store.ts';
import * as policyStore from '#domain/automations/policy-store.ts';
import type { AutomationConditionType } from '#domain/automations/shape.ts';
import type { StoredAutomation } from '#domain/automations/store.ts';
import * as automations from '#domain/automations/store.ts';
import { shippedRules } from '#domain/rules/shipped-rules.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type BundleDiff, emptyDiff } from './detection-diff.ts';
import { type ParsedPolicy, parsePolicy, readableConditions } from './parse-policy.ts';
import type { BundleProblem } from './policy-checks.ts';
import { loadPolicyNames, type PolicyNames } from './policy-names.ts';
import { assignSlugs, slugProblems } from './policy-slugs.ts';
import { isExpressible, policiesOf, policyOf, remediationVersionOf } from './remediation-bundle.ts';
import { MAX_POLICIES, type RemediationChange, type RemediationPolicy, type RemediationPolicyDraft } from './shape.ts';
import { canonicalText } from './state-version.ts';

/** The stored policies of the bundle, in the words of bundles. */
export interface StoredPolicies {
  automations: StoredAutomation[];
  policies: RemediationPolicy[];
  stateVersion: string;
}

/** Loads the policies of the bundle; `isLocked` when a change follows, after the policies were locked. */
export async function loadPolicies(tx: Tx, deployment: string, isLocked: boolean): Promise<StoredPolicies> {
  const all = (await policyStore.listAfterScans(tx, deployment, isLocked)).filter(isExpressible);
  const policies = policiesOf(all, await loadPolicyNames(tx, { deployment }, all));
  return { automations: all, policies, stateVersion: remediationVersionOf(policies) };
}

const RuleRow = z.object({ rule: z.string() });

/** The rules among these that this server has, or that have findings. */
async function knownRulesOf(tx: Tx, deployment: string, rules: readonly string[]): Promise<Set<string>> {
  const others = rules.filter((rule) => !shippedRules().has(rule));
  const found =
    others.length === 0
      ? []
      : await tx.all(RuleRow)`
          select rule from unnest(${others}::text[]) as requested (rule)
          where exists (select from published_rule
                        where published_rule.deployment_id = ${deployment} and published_rule.path = requested.rule)
            or exists (select from finding
                       where finding.deployment_id = ${deployment} and finding.rule = requested.rule)`;
  return new Set([...rules.filter((rule) => shippedRules().has(rule)), ...found.map(({ rule }) => rule)]);
}

/** What applying a bundle would do, and what is wrong with the bundle. */
export interface RemediationPlan {
  problems: BundleProblem[];
  diff: BundleDiff<RemediationChange>;
  inserted: PolicyToWrite[];
  replaced: PolicyToWrite[];
  removed: string[];
}

interface PlannedPolicy extends ParsedPolicy {
  draft: RemediationPolicyDraft;
  slug: string;
}

const isStoredIn =
  (stored: StoredAutomation | undefined, names: PolicyNames) =>
  (type: AutomationConditionType, value: string): boolean =>
    stored?.filters.conditions.some(
      (condition) =>
        condition.type === type &&
        condition.values.some((one) => one === value || names.nameOf.get(type)?.get(one) === value),
    ) ?? false;

/** Reads all policies of a bundle with a constant number of statements. */
async function parsePolicies(
  tx: Tx,
  { deployment, stored }: { deployment: string; stored: StoredPolicies },
  drafts: readonly RemediationPolicyDraft[],
): Promise<{ planned: PlannedPolicy[]; names: PolicyNames }> {
  const given = drafts.map((draft) => ({
    filters: { mode: 'MODE_ALL' as const, conditions: readableConditions(draft) },
    actions: [],
  }));
  const names = await loadPolicyNames(tx, { deployment }, [...stored.automations, ...given]);
  const rules = given.flatMap(({ filters }) =>
    filters.conditions.flatMap(({ type, values }) => (type === 'CONDITION_TYPE_RULE_ID' ? values : [])),
  );
  const knownRules = await knownRulesOf(tx, deployment, [...new Set(rules)]);
  const slugs = assignSlugs(drafts, stored.automations);
  const bySlug = new Map(stored.automations.map((automation) => [automation.slug, automation]));
  const planned = drafts.map((draft, index): PlannedPolicy => {
    const slug = slugs[index] ?? '';
    const isStored = isStoredIn(bySlug.get(slug), names);
    return { draft, slug, ...parsePolicy(draft, { slug, names, knownRules, isStored }) };
  });
  return { planned, names };
}

/** The definition that a planned policy has after it is applied. */
const definitionOf = ({ draft, slug, filters, actions }: PlannedPolicy) => ({
  slug,
  name: draft.name.trim(),
  description: draft.description ?? '',
  active: draft.active ?? true,
  filters,
  actions,
});

/** Plans what a bundle changes. With problems, the plan changes nothing. */
export async function planRemediation(
  tx: Tx,
  { deployment, stored }: { deployment: string; stored: StoredPolicies },
  drafts: readonly RemediationPolicyDraft[],
): Promise<RemediationPlan> {
  const { planned, names } = await parsePolicies(tx, { deployment, stored }, drafts);
  const taken = new Map((await policyStore.listSlugs(tx, deployment)).map((one) => [one.slug, one]));
  const existing = new Map(stored.automations.map((automation) => [automation.slug, automation]));
  const slugs = planned.map(({ slug }) => slug);
  const kept = new Set(slugs);
  const removed = stored.automations.filter(({ slug }) => !kept.has(slug));
  const others = (await automations.countAll(tx, deployment)) - stored.automations.length;
  const problems = [
    ...slugProblems(slugs, { existing: new Set(existing.keys()), taken }),
    ...(others + slugs.length > MAX_POLICIES
      ? [
          {
            code: 'POLICY_QUOTA' as const,
            message: `a deployment can have at most ${MAX_POLICIES} automations, and ${others} are managed elsewhere`,
          },
        ]
      : []),
    ...planned.flatMap((policy) => policy.problems),
  ];
  const plan: RemediationPlan = { problems, diff: emptyDiff(), inserted: [], replaced: [], removed: [] };
  if (problems.length > 0) return plan;
  const kind = 'RemediationPolicy';
  const before = new Map(stored.policies.map((policy) => [policy.slug, policy]));
  for (const policy of planned) {
    const definition = definitionOf(policy);
    const key = { slug: policy.slug };
    const after = policyOf(definition, names);
    const old = before.get(policy.slug);
    if (old && canonicalText(old) === canonicalText(after)) continue;
    const automation = existing.get(policy.slug);
    const deleted = taken.get(policy.slug);
    const { actions, lastId } = assignActionIds(definition.actions, {
      before: automation?.actions ?? [],
      lastId: automation?.lastActionId ?? deleted?.lastActionId ?? 0,
    });
    const id = automation?.id ?? deleted?.id;
    const write = { ...definition, actions, lastActionId: lastId, id };
    if (id === undefined) plan.inserted.push(write);
    else plan.replaced.push(write);
    if (old) plan.diff.updates.push({ kind, key, before: old, after });
    else plan.diff.creates.push({ kind, key, after });
  }
  for (const { slug, id } of removed) {
    const old = before.get(slug);
    if (old) plan.diff.deletes.push({ kind, key: { slug }, before: old });
    plan.removed.push(id);
  }
  return plan;
}

/** Writes a plan without problems. The policies are locked. */
export async function applyRemediation(
  tx: Tx,
  { deployment, by, at }: { deployment: string; by: string; at: Date },
  { inserted, replaced, removed }: RemediationPlan,
): Promise<void> {
  const changed = [
    ...replaced.flatMap(({ id = '', active, actions }) => ({
      id,
      keptActions: active ? actions.map((action) => action.id) : [],
    })),
    ...removed.map((id) => ({ id, keptActions: [] })),
  ];
  const reason = 'The remediation policies were replaced.';
  if (changed.length > 0) await cancelUnsentOf(tx, { deployment, by, at, reason }, changed);
  if (replaced.length > 0) await policyStore.replacePolicies(tx, { deployment, by }, replaced);
  if (inserted.length > 0) await policyStore.insertPolicies(tx, { deployment, by }, inserted);
  // Last, because it purges old deleted automations, and one of them may be replaced.
  if (removed.length > 0) await policyStore.removePolicies(tx, deployment, removed);
}
