/** An item of an alignment: results that share a fingerprint, in file order. */
export interface AlignmentItem {
  line: number;
  /** The surrounding code, for comparison; empty if unknown. */
  text: string;
}

const MOST_CELLS = 40_000;

function pairsOfWords(text: string): Map<string, number> {
  const words = text.split(/\W+/).filter((word) => word !== '');
  const pairs = new Map<string, number>();
  for (let index = 0; index < words.length; index++) {
    const pair = `${words[index]} ${words[index + 1] ?? ''}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Similarity of two pieces of code, from 0 to 1: the share of common word pairs. */
export function similarity(one: string, other: string): number {
  if (one === other) return 1;
  const [mine, theirs] = [pairsOfWords(one), pairsOfWords(other)];
  let shared = 0;
  let total = 0;
  for (const [pair, count] of mine) {
    shared += Math.min(count, theirs.get(pair) ?? 0);
    total += count;
  }
  for (const count of theirs.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The score of a pair: similarity dominates, distance breaks ties, and any pair is better than none. */
function worth(one: AlignmentItem, other: AlignmentItem): number {
  const distance = Math.abs(one.line - other.line);
  return 1 + 4 * similarity(one.text, other.text) + 0.5 / (1 + distance);
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
  if (rows * columns > MOST_CELLS)
    return Array.from({ length: Math.min(rows, columns) }, (_, index): [number, number] => [index, index]);
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const worths = new Float64Array(rows * columns);
  for (const [row, one] of before.entries())
    for (const [column, other] of after.entries()) worths[row * columns + column] = worth(one, other);
  const at = (row: number, column: number) => best[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      best[row * width + column] = Math.max(
        at(row + 1, column),
        at(row, column + 1),
        at(row + 1, column + 1) + (worths[row * columns + column] ?? 0),
      );
  return walk(rows, columns, (row, column) => {
    const here = at(row, column);
    if (here === at(row + 1, column + 1) + (worths[row * columns + column] ?? 0)) return 'pair';
    return here === at(row + 1, column) ? 'skipBefore' : 'skipAfter';
  });
}

type Step = 'pair' | 'skipBefore' | 'skipAfter';

function walk(rows: number, columns: number, stepAt: (row: number, column: number) => Step): [number, number][] {
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const step = stepAt(row, column);
    if (step === 'pair') pairs.push([row, column]);
    if (step !== 'skipAfter') row++;
    if (step !== 'skipBefore') column++;
  }
  return pairs;
}

const ALIKE = 0.6;

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
  const left = { before: new Set(before.keys()), after: new Set(after.keys()) };
  const take = (one: number, other: number, pass: 'offset' | 'scope') => {
    pairs.push([one, other, pass]);
    left.before.delete(one);
    left.after.delete(other);
  };
  const place = ({ scope, offset }: ScopedItem) => `${offset} ${scope}`;
  const only = (side: readonly ScopedItem[]) => {
    const seen = new Map<string, number>();
    for (const [index, one] of side.entries()) seen.set(place(one), seen.has(place(one)) ? -1 : index);
    return seen;
  };
  const [mine, theirs] = [only(before), only(after)];
  for (const [where, one] of mine) {
    const other = theirs.get(where) ?? -1;
    if (one >= 0 && other >= 0 && alike(before[one], after[other]) >= ALIKE) take(one, other, 'offset');
  }
  const bestOf = (side: readonly ScopedItem[], among: Set<number>, of: ScopedItem | undefined) => {
    let found = { index: -1, value: ALIKE, isTie: false };
    for (const index of among) {
      if (side[index]?.scope !== of?.scope) continue;
      const value = alike(of, side[index]);
      if (value > found.value || found.index === -1) {
        if (value >= ALIKE) found = { index, value, isTie: false };
      } else if (value === found.value) found = { ...found, isTie: true };
    }
    return found.isTie ? -1 : found.index;
  };
  for (const one of [...left.before]) {
    const other = bestOf(after, left.after, before[one]);
    if (other >= 0 && bestOf(before, left.before, after[other]) === one) take(one, other, 'scope');
  }
  return pairs;
}

const alike = (one: ScopedItem | undefined, other: ScopedItem | undefined): number =>
  one && other ? similarity(one.text, other.text) : 0;
