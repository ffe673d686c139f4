import type { TermValue } from './ast.ts';
import { parseDay } from './durations.ts';
import { parseDurationRange, parseNumberRange, parseTimeRange } from './parse-range.ts';
import { suggestSpellings } from './spelling-suggestions.ts';
import { splitAtStars } from './tokenize.ts';
import { type EnumValue, findEnumValue } from './vocabulary/enum-values.ts';
import { FILTER_KEYS, type FilterKey, type FilterKeyDefinition } from './vocabulary/keys.ts';

/** The values of a written one (a comparison of words is several), or what to write instead. */
export type ValueResult = { values: TermValue[] } | { advice: string; suggestions: string[] };

const exact = (value: string): TermValue => ({ kind: 'exact', value });
const refusal = (advice: string, suggestions: string[] = []) => ({ advice, suggestions });

const COMPARISONS: [operator: string, holds: (rank: number, of: number) => boolean][] = [
  ['>=', (rank, of) => rank <= of],
  ['<=', (rank, of) => rank >= of],
  ['>', (rank, of) => rank < of],
  ['<', (rank, of) => rank > of],
];

/** The words that a comparison such as `>=high` or `low..high` stands for; the first word is the highest. */
function comparedWords(words: readonly EnumValue[], text: string): EnumValue[] {
  const comparison = COMPARISONS.find(([operator]) => text.startsWith(operator));
  if (comparison) {
    const [operator, holds] = comparison;
    const word = findEnumValue(words, text.slice(operator.length));
    return word ? words.filter((_, rank) => holds(rank, words.indexOf(word))) : [];
  }
  const at = text.indexOf('..');
  if (at === -1 || text === '..') return [];
  const rankOf = (name: string, open: number) => {
    const word = findEnumValue(words, name);
    return name === '' ? open : word ? words.indexOf(word) : Number.NaN;
  };
  const ends = [rankOf(text.slice(0, at), words.length - 1), rankOf(text.slice(at + 2), 0)];
  return words.filter((_, rank) => Math.min(...ends) <= rank && rank <= Math.max(...ends));
}

function readWords({ values, isOrdered }: FilterKeyDefinition, text: string): ValueResult {
  const word = findEnumValue(values, text);
  const meant = word ? [word] : isOrdered ? comparedWords(values, text) : [];
  if (meant.length > 0) return { values: meant.map(({ stored }) => exact(stored)) };
  const spellings = values.flatMap(({ name, stored, aliases }) =>
    [name, stored, ...aliases].map((spelling): [string, string] => [spelling, name]),
  );
  const names = values.map(({ name }) => name);
  return refusal(`use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, suggestSpellings(text, spellings));
}

function readGlob({ format }: FilterKeyDefinition, [first, ...rest]: [string, ...string[]]): ValueResult {
  const start = format?.parse(first) ?? first;
  if (rest.length === 0) return start === '' ? refusal('write a name') : { values: [exact(start)] };
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  return { values: [{ kind: 'glob', parts: [start, ...middle, rest.at(-1) ?? ''] }] };
}

function readText({ format }: FilterKeyDefinition, key: FilterKey, text: string): ValueResult {
  if (key === 'text') return { values: [{ kind: 'text', text }] };
  const value = format ? format.parse(text) : text;
  return value === undefined ? refusal(`write ${format?.description}`) : { values: [exact(value)] };
}

const readDay = (text: string): ValueResult =>
  parseDay(text) === undefined ? refusal('write a day such as 2026-08-31') : { values: [exact(text)] };

/** NUL and its like are in no finding, and databases and URLs refuse them. */
const isReadable = (written: string) =>
  written.isWellFormed() && ![...written].some((character) => character < ' ' && character.trim() !== '');

/** What a written value of a key means. */
export function parseValue(key: FilterKey, written: string): ValueResult {
  if (!isReadable(written)) return refusal('remove the characters that cannot be seen');
  const row: FilterKeyDefinition = FILTER_KEYS[key];
  const parts = splitAtStars(written);
  const text = parts.join('*');
  switch (row.kind) {
    case 'enum':
      return readWords(row, text);
    case 'glob':
      return readGlob(row, parts);
    case 'text':
      return readText(row, key, text);
    case 'day':
      return readDay(text);
    default: {
      const read = { number: parseNumberRange, duration: parseDurationRange, date: parseTimeRange }[row.kind](text);
      return 'range' in read ? { values: [read.range] } : refusal(read.advice, read.suggestions);
    }
  }
}
