/** An item of an alignment: results that share a fingerprint, in file order. */
export interface AlignmentItem {
  line: number;
  /** The surrounding code, for comparison; empty if unknown. */
  text: string;
}

const MAX_CELLS = 40_000;

function countWordPairs(text: string): Map<string, number> {
  const words = text.split(/\W+/).filter((word) => word !== '');
  const pairs = new Map<string, number>();
  for (let index = 0; index < words.length; index++) {
    const pair = `${words[index]} ${words[index + 1] ?? ''}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Similarity of two pieces of code, from 0 to 1: the share of common word pairs. */
export function similarity(first: string, second: string): number {
  if (first === second) return 1;
  const [firstPairs, secondPairs] = [countWordPairs(first), countWordPairs(second)];
  let shared = 0;
  let total = 0;
  for (const [pair, count] of firstPairs) {
    shared += Math.min(count, secondPairs.get(pair) ?? 0);
    total += count;
  }
  for (const count of secondPairs.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The score of a pair: similarity dominates, distance breaks ties, and any pair is better than none. */
function score(old: AlignmentItem, current: AlignmentItem): number {
  const distance = Math.abs(old.line - current.line);
  return 1 + 4 * similarity(old.text, current.text) + 0.5 / (1 + distance);
}

/**
 * Pairs two ordered lists, keeping their order and maximizing the total score (T2). This replaces an ordinal: of three
 * equal matches, the one that disappeared is the one whose surroundings disappeared. Returns pairs of indexes.
 */
export function align(
  before: readonly AlignmentItem[],
  after: readonly AlignmentItem[],
): [before: number, after: number][] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MAX_CELLS)
    return Array.from({ length: Math.min(rows, columns) }, (_, index): [number, number] => [index, index]);
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const scores = new Float64Array(rows * columns);
  for (const [row, old] of before.entries())
    for (const [column, current] of after.entries()) scores[row * columns + column] = score(old, current);
  const at = (row: number, column: number) => best[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      best[row * width + column] = Math.max(
        at(row + 1, column),
        at(row, column + 1),
        at(row + 1, column + 1) + (scores[row * columns + column] ?? 0),
      );
  return tracePath(rows, columns, (row, column) => {
    const here = at(row, column);
    if (here === at(row + 1, column + 1) + (scores[row * columns + column] ?? 0)) return 'pair';
    return here === at(row + 1, column) ? 'skipBefore' : 'skipAfter';
  });
}

type AlignmentStep = 'pair' | 'skipBefore' | 'skipAfter';

function tracePath(
  rows: number,
  columns: number,
  stepAt: (row: number, column: number) => AlignmentStep,
): [number, number][] {
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const step = stepAt(row, column);
    if (step === 'pair') pairs.push([row, column]);
    if (step !== 'skipAfter') row++;
    if (step !== 'skipBefore') column++;
  }
  return pairs;
}

const MIN_SIMILARITY = 0.6;

export interface ScopedItem extends AlignmentItem {
  scope: string;
  /** Lines from the first result in the scope. */
  offset: number;
}

/**
 * Pairs the remaining results by their position in the program: first by equal scope and offset if unique on both sides
 * (T3), then by highest similarity within a scope if mutual (T4). Both need a minimum similarity.
 */
export function pairByScope(
  before: readonly ScopedItem[],
  after: readonly ScopedItem[],
): [number, number, 'offset' | 'scope'][] {
  const pairs: [number, number, 'offset' | 'scope'][] = [];
  const remaining = { before: new Set(before.keys()), after: new Set(after.keys()) };
  const take = (old: number, current: number, pass: 'offset' | 'scope') => {
    pairs.push([old, current, pass]);
    remaining.before.delete(old);
    remaining.after.delete(current);
  };
  const oldIndexes = uniquePositions(before);
  const newIndexes = uniquePositions(after);
  for (const [position, old] of oldIndexes) {
    const current = newIndexes.get(position) ?? -1;
    if (old >= 0 && current >= 0 && textSimilarity(before[old], after[current]) >= MIN_SIMILARITY)
      take(old, current, 'offset');
  }
  for (const old of [...remaining.before]) {
    const current = mostSimilar(after, remaining.after, before[old]);
    if (current >= 0 && mostSimilar(before, remaining.before, after[current]) === old) take(old, current, 'scope');
  }
  return pairs;
}

/** The index of each item by scope and offset; -1 if several items share them. */
function uniquePositions(items: readonly ScopedItem[]): Map<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, { scope, offset }] of items.entries()) {
    const position = `${offset} ${scope}`;
    indexes.set(position, indexes.has(position) ? -1 : index);
  }
  return indexes;
}

/** The index of the most similar item in the same scope; -1 if there is none, or a tie. */
function mostSimilar(items: readonly ScopedItem[], among: Set<number>, item: ScopedItem | undefined): number {
  let best = { index: -1, value: MIN_SIMILARITY, isTie: false };
  for (const index of among) {
    if (items[index]?.scope !== item?.scope) continue;
    const value = textSimilarity(item, items[index]);
    if (value > best.value || best.index === -1) {
      if (value >= MIN_SIMILARITY) best = { index, value, isTie: false };
    } else if (value === best.value) best = { ...best, isTie: true };
  }
  return best.isTie ? -1 : best.index;
}

const textSimilarity = (first: ScopedItem | undefined, second: ScopedItem | undefined): number =>
  first && second ? similarity(first.text, second.text) : 0;
