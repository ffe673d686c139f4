import * as boards from '#domain/policies/ruleboards.ts';
import { RULEBOARD_PRODUCTS } from '#domain/policies/shape.ts';
import { findMigratedAt } from '#domain/policies/unified-policies.ts';
import { rulesetIdsFor } from '#domain/rules/board-rules.ts';
import { ruleProductOf, rulesetNameOf } from '#domain/rules/rules.ts';
import {
  annotatedRules,
  type EnforcedRule,
  enforcedRulesOf,
  findLibraryRules,
  listBoardModes,
  type ProductModes,
  type ScanRuleRequest,
  type ScanTarget,
} from '#domain/rules/rules-for-scan.ts';
import type { Rule } from '#domain/rules/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { certainModes, listEnforcing, resolvePolicies } from './certain-modes.ts';
import { detectedRules } from './detected-rules.ts';
import * as detection from './detection-store.ts';

/** The modes of the rules of a project, according to the policies of a migrated deployment. */
async function listPolicyModes(tx: Tx, { deployment, project }: ScanTarget): Promise<ProductModes[]> {
  const policies = await detection.listForProject(tx, deployment, project);
  const defaults = await boards.listForProject(tx, deployment, undefined);
  const modeOf = certainModes(await resolvePolicies(tx, deployment, await listEnforcing(tx, deployment)));
  const running = RULEBOARD_PRODUCTS.flatMap((product) => {
    const policy = policies.get(product);
    const board = defaults.find((one) => one.product === product);
    if (!policy || !board) return [];
    const rules = detectedRules(policy, (path) => rulesetIdsFor(product, rulesetNameOf(path)));
    return [{ product, board, rules: [...rules] }];
  });
  const library = await findLibraryRules(
    tx,
    deployment,
    running.flatMap(({ rules }) => rules),
  );
  return running.map(({ product, board, rules }) => {
    const ofRule = modeOf(project, product);
    const modes = rules.map((rule) => {
      const known = library.get(rule);
      const mode = ofRule({ rule, product: known ? ruleProductOf(known.rule) : product });
      return [rule, { mode, board }] as const;
    });
    return { product, board, modes: new Map(modes) };
  });
}

/** The modes of the rules of a project, from its boards or, once the deployment is migrated, from its policies. */
const listModes = async (tx: Tx, target: ScanTarget): Promise<ProductModes[]> =>
  (await findMigratedAt(tx, target.deployment)) === undefined
    ? listBoardModes(tx, target)
    : listPolicyModes(tx, target);

/** The rules for a scan of the project, in order of their ids, each annotated with its mode and board. */
export const listRulesForScan = async (tx: Tx, target: ScanTarget, request: ScanRuleRequest): Promise<Rule[]> =>
  annotatedRules(tx, target, { products: await listModes(tx, target), request });

/** The rules of a project that comment or block, for reports that do not say so themselves. */
export const listEnforcedRules = async (tx: Tx, target: ScanTarget): Promise<EnforcedRule[]> =>
  enforcedRulesOf(await listModes(tx, target));
