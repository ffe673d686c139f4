import { suggestSpellings } from '#kernel/contract/spelling-suggestions.ts';
import type { TermValue } from './ast.ts';
import { parseDay } from './durations.ts';
import { parseDurationRange, parseNumberRange, parseTimeRange } from './parse-range.ts';
import { splitAtStars } from './tokenize.ts';
import { type EnumValue, findEnumValue } from './vocabulary/enum-values.ts';
import { FILTER_KEYS, type FilterKey, type FilterKeyDefinition } from './vocabulary/keys.ts';

/** The parsed values (a comparison of enum values yields several), or advice on what to write instead. */
export type ValueResult = { values: TermValue[] } | { advice: string; suggestions: string[] };

const exact = (value: string): TermValue => ({ kind: 'exact', value });
const refusal = (advice: string, suggestions: string[] = []) => ({ advice, suggestions });

const COMPARISONS: [operator: string, holds: (rank: number, of: number) => boolean][] = [
  ['>=', (rank, of) => rank <= of],
  ['<=', (rank, of) => rank >= of],
  ['>', (rank, of) => rank < of],
  ['<', (rank, of) => rank > of],
];

/** The values that a comparison such as `>=high` or `low..high` selects; the first value is the highest. */
function comparedValues(values: readonly EnumValue[], text: string): EnumValue[] {
  const comparison = COMPARISONS.find(([operator]) => text.startsWith(operator));
  if (comparison) {
    const [operator, holds] = comparison;
    const value = findEnumValue(values, text.slice(operator.length));
    return value ? values.filter((_, rank) => holds(rank, values.indexOf(value))) : [];
  }
  const at = text.indexOf('..');
  if (at === -1 || text === '..') return [];
  const rankOf = (name: string, open: number) => {
    const value = findEnumValue(values, name);
    return name === '' ? open : value ? values.indexOf(value) : Number.NaN;
  };
  const ends = [rankOf(text.slice(0, at), values.length - 1), rankOf(text.slice(at + 2), 0)];
  return values.filter((_, rank) => Math.min(...ends) <= rank && rank <= Math.max(...ends));
}

function parseEnum({ values, isOrdered }: FilterKeyDefinition, text: string): ValueResult {
  const value = findEnumValue(values, text);
  const matches = value ? [value] : isOrdered ? comparedValues(values, text) : [];
  if (matches.length > 0) return { values: matches.map(({ stored }) => exact(stored)) };
  const spellings = values.flatMap(({ name, stored, aliases }) =>
    [name, stored, ...aliases].map((spelling): [string, string] => [spelling, name]),
  );
  const names = values.map(({ name }) => name);
  return refusal(`use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, suggestSpellings(text, spellings));
}

function parseGlob({ format }: FilterKeyDefinition, [first, ...rest]: [string, ...string[]]): ValueResult {
  const start = format?.parse(first) ?? first;
  if (rest.length === 0) return start === '' ? refusal('write a name') : { values: [exact(start)] };
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  return { values: [{ kind: 'glob', parts: [start, ...middle, rest.at(-1) ?? ''] }] };
}

function parseText({ format }: FilterKeyDefinition, key: FilterKey, text: string): ValueResult {
  if (key === 'text') return { values: [{ kind: 'text', text }] };
  const value = format ? format.parse(text) : text;
  return value === undefined ? refusal(`write ${format?.description}`) : { values: [exact(value)] };
}

const parseDayValue = (text: string): ValueResult =>
  parseDay(text) === undefined ? refusal('write a day such as 2026-08-31') : { values: [exact(text)] };

/** Control characters occur in no finding, and databases and URLs refuse them. */
const isReadable = (written: string) =>
  written.isWellFormed() && ![...written].some((character) => character < ' ' && character.trim() !== '');

/** Parses a written value of a key. */
export function parseValue(key: FilterKey, written: string): ValueResult {
  if (!isReadable(written)) return refusal('remove the characters that cannot be seen');
  const definition: FilterKeyDefinition = FILTER_KEYS[key];
  const parts = splitAtStars(written);
  const text = parts.join('*');
  switch (definition.kind) {
    case 'enum':
      return parseEnum(definition, text);
    case 'glob':
      return parseGlob(definition, parts);
    case 'text':
      return parseText(definition, key, text);
    case 'day':
      return parseDayValue(text);
    default: {
      const result = { number: parseNumberRange, duration: parseDurationRange, date: parseTimeRange }[definition.kind](
        text,
      );
      return 'range' in result ? { values: [result.range] } : refusal(result.advice, result.suggestions);
    }
  }
}
