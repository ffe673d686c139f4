/** An item of an alignment: results that share a fingerprint, in file order. */
export interface AlignmentItem {
  line: number;
  /** The surrounding code, for comparison; empty if unknown. */
  text: string;
}

/** Up to this number of items on each side, each is compared with each: so the time is linear in their number. */
export const MAX_COMPARED = 50;
/** Longer texts are compared by their beginning. */
const MAX_COMPARED_CHARACTERS = 2000;

/** A piece of code, prepared for comparison with several others. */
export class ComparedText {
  readonly #text: string;
  readonly #pairs = new Map<string, number>();
  #size = 0;

  constructor(text: string) {
    this.#text = text.slice(0, MAX_COMPARED_CHARACTERS);
    const words = this.#text.split(/\W+/).filter((word) => word !== '');
    for (let index = 0; index < words.length; index++) {
      const pair = `${words[index]} ${words[index + 1] ?? ''}`;
      this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0) + 1);
    }
    this.#size = words.length;
  }

  /** Similarity from 0 to 1: the share of common word pairs. */
  similarityTo(other: ComparedText): number {
    if (this.#text === other.#text) return 1;
    let shared = 0;
    for (const [pair, count] of this.#pairs) shared += Math.min(count, other.#pairs.get(pair) ?? 0);
    const total = this.#size + other.#size;
    return total === 0 ? 0 : (2 * shared) / total;
  }
}

/** The score of a pair: similarity dominates, distance breaks ties, and any pair is better than none. */
const score = (similarity: number, distance: number): number => 1 + 4 * similarity + 0.5 / (1 + distance);

/**
 * Pairs two ordered lists, keeping their order and maximizing the total score (T2). This replaces an ordinal: of three
 * equal matches, the one that disappeared is the one whose surroundings disappeared. Returns pairs of indexes.
 */
export function align(
  before: readonly AlignmentItem[],
  after: readonly AlignmentItem[],
): [before: number, after: number][] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > MAX_COMPARED ** 2)
    return Array.from({ length: Math.min(rows, columns) }, (_, index): [number, number] => [index, index]);
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const scores = new Float64Array(rows * columns);
  const [oldTexts, newTexts] = [before, after].map((items) => items.map(({ text }) => new ComparedText(text)));
  for (const [row, old] of before.entries())
    for (const [column, current] of after.entries()) {
      const similarity = similarityOf(oldTexts?.[row], newTexts?.[column]);
      scores[row * columns + column] = score(similarity, Math.abs(old.line - current.line));
    }
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

type ScopedPair = [before: number, after: number, pass: 'offset' | 'scope'];

/** Items of one scope with their indexes; only the first ones are compared by similarity. */
type Scope = Map<number, ComparedText>;

/**
 * Pairs the remaining results by their position in the program: first by equal scope and offset if unique on both sides
 * (T3), then by highest similarity within a scope if mutual (T4). Both need a minimum similarity.
 */
export function pairByScope(before: readonly ScopedItem[], after: readonly ScopedItem[]): ScopedPair[] {
  const pairs = pairByOffset(before, after);
  const oldScopes = scopesOf(before, new Set(pairs.map(([old]) => old)));
  const newScopes = scopesOf(after, new Set(pairs.map(([, current]) => current)));
  for (const [scope, oldItems] of oldScopes) {
    const newItems = newScopes.get(scope);
    if (newItems === undefined) continue;
    for (const [old, text] of [...oldItems]) {
      const current = mostSimilar(newItems, text);
      if (current < 0 || mostSimilar(oldItems, newItems.get(current)) !== old) continue;
      pairs.push([old, current, 'scope']);
      oldItems.delete(old);
      newItems.delete(current);
    }
  }
  return pairs;
}

function pairByOffset(before: readonly ScopedItem[], after: readonly ScopedItem[]): ScopedPair[] {
  const pairs: ScopedPair[] = [];
  const newIndexes = uniquePositions(after);
  for (const [position, old] of uniquePositions(before)) {
    const current = newIndexes.get(position) ?? -1;
    const [oldText, newText] = [before[old]?.text, after[current]?.text];
    if (oldText === undefined || newText === undefined) continue;
    if (new ComparedText(oldText).similarityTo(new ComparedText(newText)) >= MIN_SIMILARITY)
      pairs.push([old, current, 'offset']);
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

function scopesOf(items: readonly ScopedItem[], paired: ReadonlySet<number>): Map<string, Scope> {
  const scopes = new Map<string, Scope>();
  for (const [index, { scope, text }] of items.entries()) {
    if (paired.has(index)) continue;
    const members = scopes.get(scope) ?? new Map<number, ComparedText>();
    scopes.set(scope, members);
    if (members.size < MAX_COMPARED) members.set(index, new ComparedText(text));
  }
  return scopes;
}

/** The index of the most similar item; -1 if there is none, or a tie. */
function mostSimilar(scope: Scope, text: ComparedText | undefined): number {
  let best = { index: -1, value: MIN_SIMILARITY, isTie: false };
  for (const [index, other] of scope) {
    const value = similarityOf(text, other);
    if (value > best.value || best.index === -1) {
      if (value >= MIN_SIMILARITY) best = { index, value, isTie: false };
    } else if (value === best.value) best = { ...best, isTie: true };
  }
  return best.isTie ? -1 : best.index;
}

const similarityOf = (first: ComparedText | undefined, second: ComparedText | undefined): number =>
  first && second ? first.similarityTo(second) : 0;
