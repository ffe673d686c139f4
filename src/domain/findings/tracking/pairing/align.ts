import { ComparedText, MAX_COMPARED } from './compared-text.ts';
import { LineShifts } from './line-shifts.ts';

/** An item of an alignment: a result of a file. Items are in the order of the file. */
export interface AlignmentItem {
  /** Only items with equal labels can be paired. */
  label: string;
  line: number;
  /** The surrounding code, for comparison; empty if unknown. */
  text: string;
}

type IndexPair = [before: number, after: number];

/** Up to this number of pairs, the alignment with the highest score is searched. */
const MAX_PAIRS = 40_000;
/** What it is worth that a pair has moved by as many lines as the pair before it. */
const SAME_SHIFT = 1.5;

/** The score of a pair: similarity dominates, the distance breaks ties, and any pair is better than none. */
const score = (similarity: number, distance: number): number => 1 + 4 * similarity + 0.5 / (1 + distance);

/**
 * Pairs the results of two versions of a file, keeping their order and maximizing the total score (T2). This replaces
 * an ordinal: of three equal matches, the one that disappeared is the one whose surroundings disappeared, or, where
 * surroundings are unknown, the one between others that moved alike.
 */
export function align(
  before: readonly AlignmentItem[],
  after: readonly AlignmentItem[],
  shifts = new LineShifts([]),
): IndexPair[] {
  if (before.length * after.length <= MAX_PAIRS) return new Alignment(before, after, shifts).pairs();
  const groups = [indexesByLabel(before), indexesByLabel(after)] as const;
  return [...groups[0]].flatMap(([label, olds]) => {
    const news = groups[1].get(label) ?? [];
    const paired =
      olds.length * news.length <= MAX_PAIRS
        ? new Alignment(itemsAt(before, olds), itemsAt(after, news), shifts).pairs()
        : pairInOrder(olds.length, news.length);
    return paired.map(([old, current]): IndexPair => [olds[old] ?? 0, news[current] ?? 0]);
  });
}

const itemsAt = (items: readonly AlignmentItem[], indexes: readonly number[]) =>
  indexes.flatMap((index) => items[index] ?? []);

const pairInOrder = (rows: number, columns: number): IndexPair[] =>
  Array.from({ length: Math.min(rows, columns) }, (_, index): IndexPair => [index, index]);

function indexesByLabel(items: readonly AlignmentItem[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>();
  for (const [index, { label }] of items.entries()) {
    const group = indexes.get(label);
    if (group) group.push(index);
    else indexes.set(label, [index]);
  }
  return indexes;
}

/** The last pair of a sequence of pairs, and the score of the sequence. */
interface PairSequence {
  score: number;
  pair: number;
}

const NO_PAIRS: PairSequence = { score: 0, pair: -1 };
const better = (one: PairSequence, other: PairSequence) => (other.score > one.score ? other : one);

/** A search for the sequence of pairs with the highest score. Pairs are numbered: old index × new items + new index. */
class Alignment {
  readonly #before: readonly AlignmentItem[];
  readonly #after: readonly AlignmentItem[];
  readonly #similarity: (old: number, current: number) => number;
  readonly #predicted: readonly number[];
  /** The pair before each pair, in the best sequence that ends with it. */
  readonly #previous: Int32Array;
  /** The best sequence that ends with a pair of the same shift. */
  readonly #bestByShift = new Map<number, PairSequence>();

  constructor(before: readonly AlignmentItem[], after: readonly AlignmentItem[], shifts: LineShifts) {
    this.#before = before;
    this.#after = after;
    this.#similarity = similaritiesOf(before, after);
    this.#predicted = before.map(({ line }) => shifts.predict(line));
    this.#previous = new Int32Array(before.length * after.length).fill(-1);
  }

  pairs(): IndexPair[] {
    const columns = this.#after.length;
    // For each number of new items: the best sequence within the old items so far.
    let best: PairSequence[] = Array.from({ length: columns + 1 }, () => NO_PAIRS);
    for (const row of this.#before.keys()) best = this.#extend(best, row);
    const pairs: IndexPair[] = [];
    for (let pair = best[columns]?.pair ?? -1; pair >= 0; pair = this.#previous[pair] ?? -1)
      pairs.push([Math.floor(pair / columns), pair % columns]);
    return pairs.reverse();
  }

  /** Extends the best sequences by one old item. */
  #extend(best: readonly PairSequence[], row: number): PairSequence[] {
    const extended: PairSequence[] = [NO_PAIRS];
    const ended: [shift: number, sequence: PairSequence][] = [];
    for (const column of this.#after.keys()) {
      const pair = this.#pair(row, column, best[column] ?? NO_PAIRS);
      if (pair) ended.push(pair);
      const without = better(best[column + 1] ?? NO_PAIRS, extended[column] ?? NO_PAIRS);
      extended.push(pair ? better(without, pair[1]) : without);
    }
    for (const [shift, sequence] of ended)
      if (sequence.score > (this.#bestByShift.get(shift)?.score ?? 0)) this.#bestByShift.set(shift, sequence);
    return extended;
  }

  /** The best sequence that ends with this pair; `before` is the best one of the items before it. */
  #pair(row: number, column: number, before: PairSequence): [shift: number, sequence: PairSequence] | undefined {
    const [old, current] = [this.#before[row], this.#after[column]];
    if (old === undefined || current === undefined || old.label !== current.label) return undefined;
    const shift = current.line - old.line;
    const alike = this.#bestByShift.get(shift);
    const columns = this.#after.length;
    // Results of one line have the same shift, so that the sequence may have used this result already.
    const isEarlier = alike !== undefined && alike.pair % columns < column;
    const follows = isEarlier && alike.score + SAME_SHIFT > before.score;
    const pair = row * columns + column;
    this.#previous[pair] = follows ? alike.pair : before.pair;
    const distance = Math.abs(current.line - (this.#predicted[row] ?? old.line));
    const value = score(this.#similarity(row, column), distance);
    return [shift, { score: value + (follows ? alike.score + SAME_SHIFT : before.score), pair }];
  }
}

/** The similarity of surroundings by index. In large groups, only equal surroundings are similar. */
function similaritiesOf(
  before: readonly AlignmentItem[],
  after: readonly AlignmentItem[],
): (old: number, current: number) => number {
  const [olds, news] = [indexesByLabel(before), indexesByLabel(after)];
  const isSmall = (label: string) =>
    (olds.get(label)?.length ?? 0) * (news.get(label)?.length ?? 0) <= MAX_COMPARED ** 2;
  const prepare = (items: readonly AlignmentItem[]) =>
    items.map(({ label, text }) => (isSmall(label) ? new ComparedText(text) : text));
  const [oldTexts, newTexts] = [prepare(before), prepare(after)];
  return (old, current) => {
    const [one, other] = [oldTexts[old], newTexts[current]];
    if (one instanceof ComparedText && other instanceof ComparedText) return one.similarityTo(other);
    return one === other ? 1 : 0;
  };
}
