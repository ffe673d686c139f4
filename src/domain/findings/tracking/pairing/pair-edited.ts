import { ComparedText, MAX_COMPARED } from './compared-text.ts';
import type { LineShifts } from './line-shifts.ts';

/** A result of one rule in one file. */
export interface EditableItem {
  line: number;
  code: string;
  /** The surrounding lines; empty if unknown. */
  context: string;
}

const MIN_CODE_SIMILARITY = 0.6;
const MIN_CONTEXT_SIMILARITY = 0.5;
/** Without surroundings, an edited line is expected this near to where its neighbors predict it. */
const MAX_LINES_AWAY = 2;

interface ComparedItem {
  index: number;
  code: ComparedText;
  context: ComparedText | undefined;
  /** Where the line is expected in the new file. */
  line: number;
}

function compared(items: readonly EditableItem[], predict = (line: number) => line): ComparedItem[] {
  return items.slice(0, MAX_COMPARED).map(({ code, context, line }, index) => ({
    index,
    code: new ComparedText(code),
    context: context === '' ? undefined : new ComparedText(context),
    line: predict(line),
  }));
}

/** How much two results are alike, from 0 to 2; 0 if the code or its surroundings differ too much. */
function likenessOf(old: ComparedItem, current: ComparedItem): number {
  const code = old.code.similarityTo(current.code);
  if (code < MIN_CODE_SIMILARITY) return 0;
  const distance = Math.abs(old.line - current.line);
  if (!old.context || !current.context) return distance <= MAX_LINES_AWAY ? code + 1 / (1 + distance) : 0;
  const context = old.context.similarityTo(current.context);
  return context < MIN_CONTEXT_SIMILARITY ? 0 : code + context + 0.01 / (1 + distance);
}

/** The item that is most alike; undefined if there is none, or a tie. */
function mostAlike(items: Iterable<ComparedItem>, likeness: (item: ComparedItem) => number): ComparedItem | undefined {
  let best: { item: ComparedItem | undefined; value: number } = { item: undefined, value: 0 };
  for (const item of items) {
    const value = likeness(item);
    if (value > best.value) best = { item, value };
    else if (value === best.value) best = { item: undefined, value };
  }
  return best.item;
}

/**
 * Pairs results of one rule in one file whose code was edited: each is the one most like the other, with similar code
 * and similar surroundings. Returns pairs of indexes.
 */
export function pairEdited(
  before: readonly EditableItem[],
  after: readonly EditableItem[],
  shifts: LineShifts,
): [before: number, after: number][] {
  const olds = new Set(compared(before, (line) => shifts.predict(line)));
  const news = new Set(compared(after));
  const pairs: [number, number][] = [];
  for (const old of [...olds]) {
    const current = mostAlike(news, (item) => likenessOf(old, item));
    if (!current || mostAlike(olds, (item) => likenessOf(item, current)) !== old) continue;
    pairs.push([old.index, current.index]);
    olds.delete(old);
    news.delete(current);
  }
  return pairs;
}
