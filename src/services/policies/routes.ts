import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { itemKeyOf, MAX_RULEBOARD_ITEMS, modeOfPolicy, policySlugOf } from '#domain/policies/rules.ts';
import type { Policy, PolicyMode } from '#domain/policies/shape.ts';
import { lockPolicies, refuseAfterMigration } from '#domain/policies/unified-policies.ts';
import { expandRulesets } from '#domain/rules/board-rules.ts';
import { describeRules } from '#domain/rules/rule-metadata.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const policyOf = ({ id, isDefault, name, product, slug }: boards.RuleboardRecord): Policy => ({
  id,
  isDefault,
  name,
  productType: product === 'secrets' ? 'PRODUCT_TYPE_SECRETS' : 'PRODUCT_TYPE_SAST',
  slug: policySlugOf(slug),
});

async function listPolicies({ tx, caller }: Pick<Call, 'tx' | 'caller'>) {
  return { policies: (await boards.listVisible(tx, caller)).map(policyOf) };
}

async function listRules({ tx, caller, page }: Pick<Call, 'tx' | 'caller' | 'page'>, policy: string) {
  const board = await boards.findById(tx, caller, policy);
  if (!board) throw NOT_FOUND();
  const all = await items.list(tx, { deployment: caller.deployment, board: board.id });
  const { after, limit } = page.window;
  const later = expandRulesets(board.product, all).filter(({ path }) => !after || path > String(after[0]));
  const { items: rules, cursor } = page.close(later.slice(0, limit + 1), ({ path }) => [path]);
  const metadata = await describeRules(
    tx,
    caller.deployment,
    rules.map(({ path }) => path),
  );
  return {
    policy: policyOf(board),
    rules: rules.map((rule) => items.policyRuleOf(rule, metadata.get(rule.path))),
    cursor,
  };
}

interface ModeChange {
  policyId: string;
  rulePath: string;
  policyMode: PolicyMode;
}

/** Sets the mode of one rule. The board is locked, so that concurrent writers wait. */
async function setMode({ tx, caller, answer }: Pick<Call, 'tx' | 'caller' | 'answer'>, change: ModeChange) {
  await lockPolicies(tx, caller.deployment);
  const board = await boards.lockById(tx, caller.deployment, change.policyId);
  if (!board) throw NOT_FOUND();
  const ref = { deployment: caller.deployment, board: board.id };
  const before = await items.findRule(tx, ref, change.rulePath);
  if (!before && (await items.countAll(tx, ref)) >= MAX_RULEBOARD_ITEMS)
    throw contract.POLICY_FULL({ most: MAX_RULEBOARD_ITEMS });
  const mode = modeOfPolicy(change.policyMode);
  const step = { kind: 'rule', path: change.rulePath, mode, mustExist: false, index: 0 } as const;
  await items.applyPlan(tx, caller, board.id, { steps: new Map([[itemKeyOf(step), step]]) });
  await boards.incrementVersion(tx, caller.deployment, board.id);
  const after = await items.findRule(tx, ref, change.rulePath);
  if (!after) throw new Error('The rule was not written.');
  const key = itemKeyOf(step);
  answer.recordEffect({
    object: `ruleboard/${board.slug}`,
    before: { [key]: before?.mode ?? null },
    after: { [key]: after.mode },
  });
  const metadata = await describeRules(tx, caller.deployment, [after.path]);
  return { policyId: board.id, updatedRule: items.policyRuleOf(after, metadata.get(after.path)) };
}

/** PoliciesService: the deprecated API of ruleboards, on the paths of both versions. */
export const policies = group(
  'PoliciesService',
  contract,
  {
    listPolicies,
    listPolicyRules: (call) => listRules(call, call.path.policyId),
    updatePolicyRule: (call) => setMode(call, { ...call.path, ...call.body }),
    listPoliciesV1: listPolicies,
    listPolicyRulesV1: (call) => listRules(call, call.path.policyId),
    updatePolicyV1: (call) => setMode(call, { ...call.body, policyId: call.path.policyId }),
  },
  {
    objects: {
      policyId: async (tx, { caller, id }) => ((await boards.findById(tx, caller, id)) ? new Set<string>() : undefined),
    },
    gates: [refuseAfterMigration],
  },
);
