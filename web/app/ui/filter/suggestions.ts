import type { FilterProblem } from '#domain/query/ast.ts';
import { completionAt, type FilterCompletion } from '#domain/query/completion.ts';
import { formatValue } from '#domain/query/format-term.ts';
import { FILTER_KEYS, type FilterKey, type FilterKeyDefinition } from '#domain/query/vocabulary/keys.ts';

/** One line of the list below the filter bar. */
export interface FilterSuggestion {
  /** What is inserted. */
  insertText: string;
  label: string;
  help: string;
  count?: number;
}

export interface CountedValue {
  value: string;
  count?: number | undefined;
}

/** A text and where the cursor stands in it. */
export interface FilterDraft {
  text: string;
  cursor: number;
}

export const MAX_SUGGESTIONS = 20;

function keyOffers({ offers }: FilterCompletion): FilterSuggestion[] {
  return offers.flatMap((name) => {
    const row: FilterKeyDefinition | undefined = FILTER_KEYS[name as FilterKey];
    return row ? [{ insertText: `${name}:`, label: `${name}:`, help: row.help }] : [];
  });
}

function wordOffers(
  completion: FilterCompletion & { kind: 'value' },
  counts: ReadonlyMap<string, number> | undefined,
): FilterSuggestion[] {
  const { values } = FILTER_KEYS[completion.key] as FilterKeyDefinition;
  return completion.offers.flatMap((name) => {
    const count = counts?.get(name);
    // A word that nothing has leads nowhere; without numbers, all are offered.
    if (counts && count === undefined) return [];
    const help = values.find((value) => value.name === name)?.help ?? '';
    return [{ insertText: name, label: name, help, ...(count === undefined ? {} : { count }) }];
  });
}

/** What can stand at the cursor; `names` are values that findings have, `counts` the numbers of words. */
export function suggestionsFor(
  completion: FilterCompletion,
  names: readonly CountedValue[],
  counts?: ReadonlyMap<string, number>,
): FilterSuggestion[] {
  if (completion.kind === 'key') return keyOffers(completion);
  if (completion.kind === 'text') return [];
  const { key, prefix } = completion;
  const words = wordOffers(completion, counts);
  const typed = prefix.toLowerCase();
  const known = new Set(words.map(({ label }) => label));
  const others = names
    .filter(({ value }) => value.toLowerCase().includes(typed) && !known.has(value))
    .map(({ value, count }) => ({
      insertText: formatValue(key, { kind: 'exact', value }),
      label: value,
      help: '',
      ...(count === undefined ? {} : { count }),
    }));
  return [...words, ...others].slice(0, MAX_SUGGESTIONS);
}

/** The text after an offer was taken: a key waits for its value, a value is followed by what comes next. */
export function applySuggestion(
  { text }: FilterDraft,
  completion: FilterCompletion,
  { insertText }: FilterSuggestion,
): FilterDraft {
  const before = text.slice(0, completion.start);
  const after = text.slice(completion.end);
  if (completion.kind === 'key') {
    const rest = after.startsWith(':') ? after.slice(1) : after;
    return { text: `${before}${insertText}${rest}`, cursor: before.length + insertText.length };
  }
  const gap = after === '' ? ' ' : '';
  return { text: `${before}${insertText}${gap}${after}`, cursor: before.length + insertText.length + gap.length };
}

/** The text with a suggestion in the place of what was not understood. */
export const applyCorrection = (text: string, { start, end }: FilterProblem, suggestion: string): string =>
  text.slice(0, start) + suggestion + text.slice(end);

/** What is wrong apart from what is being typed right now. */
export const problemsAwayFromCursor = (problems: readonly FilterProblem[], cursor: number): FilterProblem[] =>
  problems.filter(({ start, end }) => cursor < start || cursor > end);

export const completionAtCursor = ({ text, cursor }: FilterDraft): FilterCompletion => completionAt(text, cursor);
