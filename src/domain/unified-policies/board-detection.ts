import { RULEBOARD_PRODUCTS, type RuleboardProduct } from '#domain/policies/shape.ts';
import { rulesetIdsFor } from '#domain/rules/board-rules.ts';
import { effectiveModes, rulesetNameOf } from '#domain/rules/rules.ts';
import { type MigratedBoard, modesOfBoard } from './board-policies.ts';
import type { DetectionPolicy, StoredException } from './detection-store.ts';
import { sortedUnique } from './state-version.ts';

type PathEffect = Pick<StoredException, 'kind' | 'path' | 'effect'>;

const pathsWhere = <Value>(modes: ReadonlyMap<string, Value>, isMeant: (mode: Value) => boolean): string[] =>
  sortedUnique([...modes].flatMap(([path, mode]) => (isMeant(mode) ? [path] : [])));

const runs = (mode: string | undefined): boolean => mode !== undefined && mode !== 'disabled';

const rulesOfPack = (product: RuleboardProduct) => (path: string) => rulesetIdsFor(product, rulesetNameOf(path));

export const modesOn = ({ items, product }: MigratedBoard) =>
  effectiveModes(items, (name) => rulesetIdsFor(product, name));

/** Policies for secrets have no rulesets, so that those of their boards become rules. */
const listsOf = (board: MigratedBoard): Omit<DetectionPolicy, 'exceptions'> => {
  const { rules, packs } = modesOfBoard(board.items);
  const disabled = pathsWhere(rules, (mode) => mode === 'disabled');
  return board.product === 'secrets'
    ? { rulesets: [], rules: pathsWhere(modesOn(board), runs), disabled }
    : { rulesets: pathsWhere(packs, runs), rules: pathsWhere(rules, runs), disabled };
};

/** What the projects of a board run besides the default board, as exceptions without their project. */
function effectsOf(board: MigratedBoard, runsByDefault: (rule: string) => boolean): PathEffect[] {
  const include = (kind: 'rule' | 'pack') => (path: string) => ({ kind, path, effect: 'include' as const });
  if (board.product === 'secrets') return pathsWhere(modesOn(board), runs).map(include('rule'));
  const { rules, packs } = modesOfBoard(board.items);
  const included = pathsWhere(packs, runs);
  const inPacks = new Set(included.flatMap(rulesOfPack(board.product)));
  // Disabling a rule on a board only takes it out of the rulesets of that board.
  const excluded = pathsWhere(rules, (mode) => mode === 'disabled').filter(
    (rule) => inPacks.has(rule) && !runsByDefault(rule),
  );
  return [
    ...included.map(include('pack')),
    ...pathsWhere(rules, runs).map(include('rule')),
    ...excluded.map((path) => ({ kind: 'rule' as const, path, effect: 'exclude' as const })),
  ];
}

export interface BoardDetection extends Omit<DetectionPolicy, 'exceptions'> {
  /** The number of exceptions, which can be too large to make them. */
  exceptionCount: number;
  exceptions: () => StoredException[];
}

/** The detection policies that run for every project what its boards run. */
export const detectionOfBoards = (boards: readonly MigratedBoard[]): Map<RuleboardProduct, BoardDetection> =>
  new Map(
    RULEBOARD_PRODUCTS.flatMap((product): [RuleboardProduct, BoardDetection][] => {
      const own = boards.filter((board) => board.product === product);
      const global = own.find(({ isDefault }) => isDefault);
      if (!global) return [];
      const modes = modesOn(global);
      const added = own
        .filter(({ isDefault, projects }) => !isDefault && projects.length > 0)
        .map((board) => ({ board, effects: effectsOf(board, (rule) => runs(modes.get(rule))) }));
      const count = added.reduce((sum, { board, effects }) => sum + board.projects.length * effects.length, 0);
      const exceptions = () =>
        added.flatMap(({ board, effects }) =>
          board.projects.flatMap(({ id, name }) =>
            effects.map((effect) => ({ ...effect, projectId: id, target: name })),
          ),
        );
      return [[product, { ...listsOf(global), exceptionCount: count, exceptions }]];
    }),
  );
