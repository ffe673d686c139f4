import { ComparedText, MAX_COMPARED } from './compared-text.ts';

const MIN_SIMILARITY = 0.6;

export interface ScopedItem {
  line: number;
  text: string;
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
