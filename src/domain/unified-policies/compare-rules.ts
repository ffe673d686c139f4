import type { References } from '#domain/automations/conditions/references.ts';
import { RULEBOARD_PRODUCTS, type RuleboardProduct, type RuleMode } from '#domain/policies/shape.ts';
import { rulesetIdsFor } from '#domain/rules/board-rules.ts';
import { boardProductOf, ruleProductOf, rulesetNameOf, strictestModes } from '#domain/rules/rules.ts';
import { shippedRules } from '#domain/rules/shipped-rules.ts';
import { modesOn } from './board-detection.ts';
import type { BoardPolicy, MigratedBoard } from './board-policies.ts';
import { certainModes } from './certain-modes.ts';
import { detectedRules } from './detected-rules.ts';
import type { DetectionPolicy } from './detection-store.ts';

interface ComparedPlan {
  boards: readonly MigratedBoard[];
  detection: ReadonlyMap<RuleboardProduct, DetectionPolicy>;
  policies: readonly BoardPolicy[];
}

/** A board or policy never runs a shipped rule of another product, nor what is not the id of a rule. */
function canRun(product: RuleboardProduct, id: string): boolean {
  const shipped = shippedRules().get(id);
  return !id.includes('*') && (shipped === undefined || boardProductOf(ruleProductOf(shipped.rule)) === product);
}

/** The rules that run and their modes, on boards whose modes add up. */
const modesBefore = (product: RuleboardProduct, boards: readonly MigratedBoard[]): Map<string, RuleMode> =>
  new Map(
    [...strictestModes(boards.map((board) => ({ board, modes: modesOn(board) })))].flatMap(([rule, { mode }]) =>
      mode === 'disabled' || !canRun(product, rule) ? [] : [[rule, mode]],
    ),
  );

/** How two tables of modes differ, as sentences. */
const differencesOf = (before: ReadonlyMap<string, RuleMode>, after: ReadonlyMap<string, RuleMode>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((rule) => before.get(rule) !== after.get(rule))
    .map((rule) => `${rule} was ${before.get(rule) ?? 'absent'} and would be ${after.get(rule) ?? 'absent'}`);

/**
 * Compares the rules and their modes before and after the migration, for every group of projects with the same boards:
 * those without a board of their own, and those of each board. Boards and policies treat the projects of a group alike.
 */
export function compareRules(
  { boards, detection, policies }: ComparedPlan,
  references: References,
): { groups: number; differences: string[] } {
  const modeOf = certainModes({ policies, references });
  let groups = 0;
  const differences = RULEBOARD_PRODUCTS.flatMap((product) => {
    const own = boards.filter((board) => board.product === product);
    const policy = detection.get(product);
    const global = own.find(({ isDefault }) => isDefault);
    if (!policy || !global) return [];
    const byProject = Map.groupBy(policy.exceptions, ({ projectId }) => projectId);
    const added = own.filter(({ isDefault, projects }) => !isDefault && projects.length > 0);
    return [undefined, ...added].flatMap((board) => {
      groups += 1;
      const project = board?.projects[0]?.id;
      const exceptions = project === undefined ? [] : (byProject.get(project) ?? []);
      const ofRule = modeOf(project, product);
      const running = detectedRules({ ...policy, exceptions }, (path) => rulesetIdsFor(product, rulesetNameOf(path)));
      const after = [...running]
        .filter((rule) => canRun(product, rule))
        .map((rule) => [rule, ofRule({ rule, product })] as const);
      return differencesOf(modesBefore(product, board ? [global, board] : [global]), new Map(after));
    });
  });
  return { groups, differences };
}
