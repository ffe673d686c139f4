import { type Completion, completionAt } from '#domain/query/completion.ts';
import { KEYS, type Key, type KeyRow } from '#domain/query/keys.ts';
import type { Problem } from '#domain/query/structure.ts';
import { valueText } from '#domain/query/write.ts';

/** One line of the list below the filter bar. */
export interface Offer {
  /** What is inserted. */
  written: string;
  label: string;
  help: string;
  count?: number;
}

export interface Counted {
  value: string;
  count?: number | undefined;
}

/** A text and where the cursor stands in it. */
export interface Draft {
  text: string;
  cursor: number;
}

export const MOST_OFFERED = 20;

function keyOffers({ offers }: Completion): Offer[] {
  return offers.flatMap((name) => {
    const row: KeyRow | undefined = KEYS[name as Key];
    return row ? [{ written: `${name}:`, label: `${name}:`, help: row.help }] : [];
  });
}

function wordOffers(
  completion: Completion & { kind: 'value' },
  counts: ReadonlyMap<string, number> | undefined,
): Offer[] {
  const { words } = KEYS[completion.key] as KeyRow;
  return completion.offers.flatMap((name) => {
    const count = counts?.get(name);
    // A word that nothing has leads nowhere; without numbers, all are offered.
    if (counts && count === undefined) return [];
    const help = words.find(({ word }) => word === name)?.help ?? '';
    return [{ written: name, label: name, help, ...(count === undefined ? {} : { count }) }];
  });
}

/** What can stand at the cursor; `names` are values that findings have, `counts` the numbers of words. */
export function offersFor(
  completion: Completion,
  names: readonly Counted[],
  counts?: ReadonlyMap<string, number>,
): Offer[] {
  if (completion.kind === 'key') return keyOffers(completion);
  if (completion.kind === 'text') return [];
  const { key, prefix } = completion;
  const words = wordOffers(completion, counts);
  const typed = prefix.toLowerCase();
  const known = new Set(words.map(({ label }) => label));
  const others = names
    .filter(({ value }) => value.toLowerCase().includes(typed) && !known.has(value))
    .map(({ value, count }) => ({
      written: valueText(key, { kind: 'exact', value }),
      label: value,
      help: '',
      ...(count === undefined ? {} : { count }),
    }));
  return [...words, ...others].slice(0, MOST_OFFERED);
}

/** The text after an offer was taken: a key waits for its value, a value is followed by what comes next. */
export function taken({ text }: Draft, completion: Completion, { written }: Offer): Draft {
  const before = text.slice(0, completion.start);
  const after = text.slice(completion.end);
  if (completion.kind === 'key') {
    const rest = after.startsWith(':') ? after.slice(1) : after;
    return { text: `${before}${written}${rest}`, cursor: before.length + written.length };
  }
  const gap = after === '' ? ' ' : '';
  return { text: `${before}${written}${gap}${after}`, cursor: before.length + written.length + gap.length };
}

/** The text with a suggestion in the place of what was not understood. */
export const corrected = (text: string, { start, end }: Problem, suggestion: string): string =>
  text.slice(0, start) + suggestion + text.slice(end);

/** What is wrong apart from what is being typed right now. */
export const settledProblems = (problems: readonly Problem[], cursor: number): Problem[] =>
  problems.filter(({ start, end }) => cursor < start || cursor > end);

export const completionOf = ({ text, cursor }: Draft): Completion => completionAt(text, cursor);
