import { nameKey } from '#domain/deployments/rules.ts';
import type { RuleboardProduct } from '#domain/policies/shape.ts';
import { boardProductOf, ruleIdOf, ruleProductOf, rulesetNameOf } from '#domain/rules/rules.ts';
import { rulesOfRuleset, shippedRules } from '#domain/rules/shipped-rules.ts';
import * as publishedRules from '#domain/rules/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { DetectionPolicy, StoredException } from './detection-store.ts';
import * as store from './detection-store.ts';
import { type BundleProblem, unknownReferences } from './policy-checks.ts';
import {
  BOARD_PRODUCTS,
  type DetectionBundle,
  type DetectionBundleDraft,
  type DetectionException,
  type DetectionProduct,
} from './shape.ts';
import { byText, sortedUnique, stateVersionOf } from './state-version.ts';

export const packPathOf = (path: string): string => `p/${rulesetNameOf(path)}`;

const exceptionOf = ({ effect, projectId, target, path, kind }: StoredException): DetectionException => ({
  exception_type: effect,
  ...(projectId === undefined ? { project_tag_name: target } : { project: target }),
  rule: path,
  rule_type: kind,
});

export const exceptionKeyOf = ({ project, project_tag_name: tag, rule, rule_type: kind }: DetectionException): string =>
  JSON.stringify([project ?? null, tag ?? null, kind, rule]);

const byKey = (left: DetectionException, right: DetectionException): number =>
  byText(exceptionKeyOf(left), exceptionKeyOf(right));

/** The policy in words, with every list in order. */
export const bundleOf = (
  product: DetectionProduct,
  { rulesets, rules, disabled, exceptions }: DetectionPolicy,
): Omit<DetectionBundle, 'deployment_slug'> => ({
  product,
  rulesets: sortedUnique(rulesets),
  rules: sortedUnique(rules),
  disabled: sortedUnique(disabled),
  exceptions: exceptions.map(exceptionOf).sort(byKey),
});

export const detectionVersionOf = (product: DetectionProduct, policy: DetectionPolicy): string =>
  stateVersionOf(bundleOf(product, policy));

type DraftException = NonNullable<DetectionBundleDraft['exceptions']>[number];

function exceptionProblem(
  product: DetectionProduct,
  { exception_type: effect, project, project_tag_name: tag, rule_type: kind }: DraftException,
): string | undefined {
  if (effect !== 'include' && effect !== 'exclude') return 'exception_type must be include or exclude';
  if (kind !== 'rule' && kind !== 'pack') return 'rule_type must be rule or pack';
  if ((project === undefined) === (tag === undefined)) return 'exactly one of project and project_tag_name must be set';
  return product === 'secrets' && kind === 'pack' ? 'rule_type pack is not accepted for secrets' : undefined;
}

function shapeProblems(product: DetectionProduct, draft: DetectionBundleDraft): BundleProblem[] {
  const problems: BundleProblem[] = [];
  if (draft.product !== undefined && draft.product !== '' && draft.product !== product)
    problems.push({
      code: 'PRODUCT_MISMATCH',
      message: `its product is ${draft.product}, but the path names ${product}`,
    });
  if (product === 'secrets' && (draft.rulesets ?? []).length > 0)
    problems.push({
      code: 'RULESETS_NOT_ACCEPTED',
      message: 'rulesets must be empty for secrets: list the rules',
    });
  for (const [index, exception] of (draft.exceptions ?? []).entries()) {
    const message = exceptionProblem(product, exception);
    if (message !== undefined)
      problems.push({
        code: 'INVALID_EXCEPTION',
        message: `exceptions[${index}]: ${message}`,
        context: { index: `${index}` },
      });
  }
  return problems;
}

/** The rules of the product among these, shipped or published. */
async function knownRules(
  tx: Tx,
  deployment: string,
  { product, rules }: { product: RuleboardProduct; rules: readonly string[] },
): Promise<Set<string>> {
  const unshipped = rules.filter((rule) => !shippedRules().has(rule));
  const published = unshipped.length === 0 ? [] : await publishedRules.listByPaths(tx, deployment, unshipped);
  const all = [
    ...rules.flatMap((rule) => shippedRules().get(rule) ?? []),
    ...published.map(publishedRules.libraryRuleOf),
  ];
  return new Set(all.flatMap(({ rule }) => (boardProductOf(ruleProductOf(rule)) === product ? [rule.id] : [])));
}

export interface ParsedDetection {
  policy: DetectionPolicy;
  problems: BundleProblem[];
}

/**
 * The policy that a bundle describes, and what is wrong with the bundle. References that the stored policy already has
 * are accepted, even if their rule is gone, so that a bundle can be applied as it was read.
 */
export async function parseDetection(
  tx: Tx,
  { deployment, product, before }: { deployment: string; product: DetectionProduct; before: DetectionPolicy },
  draft: DetectionBundleDraft,
): Promise<ParsedDetection> {
  const problems = shapeProblems(product, draft);
  const drafts = (draft.exceptions ?? []).filter((one) => exceptionProblem(product, one) === undefined);
  const rulesets = sortedUnique((draft.rulesets ?? []).map(packPathOf));
  const rules = sortedUnique((draft.rules ?? []).map(ruleIdOf));
  const disabled = sortedUnique((draft.disabled ?? []).map(ruleIdOf));
  const projects = new Map(
    (
      await store.findProjects(
        tx,
        deployment,
        drafts.flatMap(({ project }) => (project === undefined ? [] : [nameKey(project)])),
      )
    ).map((row) => [row.requested, row]),
  );
  const tags = new Map(
    (
      await store.findTags(
        tx,
        deployment,
        drafts.flatMap(({ project_tag_name: tag }) => tag ?? []),
      )
    ).map((row) => [row.requested, row]),
  );
  const exceptions = new Map<string, StoredException>();
  const missing: { kind: string; value: string }[] = [];
  for (const { exception_type: effect, project, project_tag_name: tag, rule, rule_type: kind } of drafts) {
    const found = project === undefined ? tags.get(tag ?? '') : projects.get(nameKey(project));
    if (!found) {
      missing.push(
        project === undefined ? { kind: 'project_tag', value: tag ?? '' } : { kind: 'project', value: project },
      );
      continue;
    }
    const exception: StoredException = {
      kind: kind === 'pack' ? 'pack' : 'rule',
      path: kind === 'pack' ? packPathOf(rule) : ruleIdOf(rule),
      effect: effect === 'exclude' ? 'exclude' : 'include',
      ...(project === undefined ? { tagId: found.id } : { projectId: found.id }),
      target: found.name,
    };
    const key = exceptionKeyOf(exceptionOf(exception));
    const earlier = exceptions.get(key);
    if (earlier && earlier.effect !== exception.effect)
      problems.push({
        code: 'INVALID_EXCEPTION',
        message: `${kind} ${rule} is both included and excluded for ${found.name}`,
        context: { rule, target: found.name },
      });
    exceptions.set(key, exception);
  }
  const policy = { rulesets, rules, disabled, exceptions: [...exceptions.values()] };
  missing.push(...(await unknownRules(tx, { deployment, product, before }, policy)));
  return { policy, problems: [...problems, ...unknownReferences(missing)] };
}

const pathsOf = ({ exceptions }: DetectionPolicy, kind: 'rule' | 'pack'): string[] =>
  exceptions.filter((one) => one.kind === kind).map(({ path }) => path);

async function unknownRules(
  tx: Tx,
  { deployment, product, before }: { deployment: string; product: DetectionProduct; before: DetectionPolicy },
  policy: DetectionPolicy,
): Promise<{ kind: string; value: string }[]> {
  const storedPacks = new Set([...before.rulesets, ...pathsOf(before, 'pack')]);
  const packs = sortedUnique([...policy.rulesets, ...pathsOf(policy, 'pack')]);
  const storedRules = new Set([...before.rules, ...before.disabled, ...pathsOf(before, 'rule')]);
  const rules = sortedUnique([...policy.rules, ...policy.disabled, ...pathsOf(policy, 'rule')]).filter(
    (rule) => !storedRules.has(rule),
  );
  const known = await knownRules(tx, deployment, { product: BOARD_PRODUCTS[product], rules });
  return [
    ...packs
      .filter((pack) => !storedPacks.has(pack) && rulesOfRuleset(rulesetNameOf(pack)) === undefined)
      .map((value) => ({ kind: 'ruleset', value })),
    ...rules.filter((rule) => !known.has(rule)).map((value) => ({ kind: 'rule', value })),
  ];
}
