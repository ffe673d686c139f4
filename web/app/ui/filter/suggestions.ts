import type { FilterProblem } from '#domain/query/ast.ts';
import { completionAt, type FilterCompletion } from '#domain/query/completion.ts';
import { formatValue } from '#domain/query/format-term.ts';
import { FILTER_KEYS, type FilterKey, type FilterKeyDefinition } from '#domain/query/vocabulary/keys.ts';

/** One entry of the suggestion list below the filter bar. */
export interface FilterSuggestion {
  /** The text that is inserted. */
  insertText: string;
  label: string;
  help: string;
  count?: number;
}

export interface CountedValue {
  value: string;
  count?: number | undefined;
}

/** The filter text being edited and the cursor position. */
export interface FilterDraft {
  text: string;
  cursor: number;
}

export const MAX_SUGGESTIONS = 20;

function keySuggestions({ offers }: FilterCompletion): FilterSuggestion[] {
  return offers.flatMap((name) => {
    const row: FilterKeyDefinition | undefined = FILTER_KEYS[name as FilterKey];
    return row ? [{ insertText: `${name}:`, label: `${name}:`, help: row.help }] : [];
  });
}

function enumSuggestions(
  completion: FilterCompletion & { kind: 'value' },
  counts: ReadonlyMap<string, number> | undefined,
): FilterSuggestion[] {
  const { values } = FILTER_KEYS[completion.key] as FilterKeyDefinition;
  return completion.offers.flatMap((name) => {
    const count = counts?.get(name);
    // Skip values that no finding has; without counts, offer all values.
    if (counts && count === undefined) return [];
    const help = values.find((value) => value.name === name)?.help ?? '';
    return [{ insertText: name, label: name, help, ...(count === undefined ? {} : { count }) }];
  });
}

/** Suggestions for the cursor position; `names` are values that findings have, `counts` the findings per enum value. */
export function suggestionsFor(
  completion: FilterCompletion,
  names: readonly CountedValue[],
  counts?: ReadonlyMap<string, number>,
): FilterSuggestion[] {
  if (completion.kind === 'key') return keySuggestions(completion);
  if (completion.kind === 'text') return [];
  const { key, prefix } = completion;
  const enumValues = enumSuggestions(completion, counts);
  const typed = prefix.toLowerCase();
  const known = new Set(enumValues.map(({ label }) => label));
  const nameSuggestions = names
    .filter(({ value }) => value.toLowerCase().includes(typed) && !known.has(value))
    .map(({ value, count }) => ({
      insertText: formatValue(key, { kind: 'exact', value }),
      label: value,
      help: '',
      ...(count === undefined ? {} : { count }),
    }));
  return [...enumValues, ...nameSuggestions].slice(0, MAX_SUGGESTIONS);
}

/** Inserts a suggestion: after a key the cursor stays at its value, after a value a space follows. */
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

/** Replaces the invalid part of the text with a suggestion. */
export const applyCorrection = (text: string, { start, end }: FilterProblem, suggestion: string): string =>
  text.slice(0, start) + suggestion + text.slice(end);

/** Problems except the one at the cursor, which is still being typed. */
export const problemsAwayFromCursor = (problems: readonly FilterProblem[], cursor: number): FilterProblem[] =>
  problems.filter(({ start, end }) => cursor < start || cursor > end);

export const completionAtCursor = ({ text, cursor }: FilterDraft): FilterCompletion => completionAt(text, cursor);
