import { KEYS, type Key, type KeyRow } from './keys.ts';
import { nearest } from './nearest.ts';
import { readDuration, readMoment, readNumber } from './ranges.ts';
import { partsOf } from './scan.ts';
import type { Value } from './structure.ts';
import { dayOf } from './time.ts';
import { type Word, wordNamed } from './words.ts';

/** The values of a written one (a comparison of words is several), or what to write instead. */
export type ReadValue = { values: Value[] } | { advice: string; suggestions: string[] };

const exact = (value: string): Value => ({ kind: 'exact', value });
const refusal = (advice: string, suggestions: string[] = []) => ({ advice, suggestions });

const COMPARISONS: [operator: string, holds: (rank: number, of: number) => boolean][] = [
  ['>=', (rank, of) => rank <= of],
  ['<=', (rank, of) => rank >= of],
  ['>', (rank, of) => rank < of],
  ['<', (rank, of) => rank > of],
];

/** The words that a comparison such as `>=high` or `low..high` stands for; the first word is the highest. */
function comparedWords(words: readonly Word[], text: string): Word[] {
  const comparison = COMPARISONS.find(([operator]) => text.startsWith(operator));
  if (comparison) {
    const [operator, holds] = comparison;
    const word = wordNamed(words, text.slice(operator.length));
    return word ? words.filter((_, rank) => holds(rank, words.indexOf(word))) : [];
  }
  const at = text.indexOf('..');
  if (at === -1 || text === '..') return [];
  const rankOf = (name: string, open: number) => {
    const word = wordNamed(words, name);
    return name === '' ? open : word ? words.indexOf(word) : Number.NaN;
  };
  const ends = [rankOf(text.slice(0, at), words.length - 1), rankOf(text.slice(at + 2), 0)];
  return words.filter((_, rank) => Math.min(...ends) <= rank && rank <= Math.max(...ends));
}

function readWords({ words, isOrdered }: KeyRow, text: string): ReadValue {
  const word = wordNamed(words, text);
  const meant = word ? [word] : isOrdered ? comparedWords(words, text) : [];
  if (meant.length > 0) return { values: meant.map(({ stored }) => exact(stored)) };
  const spellings = words.flatMap(({ word: name, stored, aliases }) =>
    [name, stored, ...aliases].map((spelling): [string, string] => [spelling, name]),
  );
  const names = words.map(({ word: name }) => name);
  return refusal(`use ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, nearest(text, spellings));
}

function readGlob({ spelling }: KeyRow, [first, ...rest]: [string, ...string[]]): ReadValue {
  const start = spelling?.read(first) ?? first;
  if (rest.length === 0) return start === '' ? refusal('write a name') : { values: [exact(start)] };
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  return { values: [{ kind: 'glob', parts: [start, ...middle, rest.at(-1) ?? ''] }] };
}

function readText({ spelling }: KeyRow, key: Key, text: string): ReadValue {
  if (key === 'text') return { values: [{ kind: 'text', text }] };
  const value = spelling ? spelling.read(text) : text;
  return value === undefined ? refusal(`write ${spelling?.called}`) : { values: [exact(value)] };
}

const readDay = (text: string): ReadValue =>
  dayOf(text) === undefined ? refusal('write a day such as 2026-08-31') : { values: [exact(text)] };

/** NUL and its like are in no finding, and databases and URLs refuse them. */
const isReadable = (written: string) =>
  written.isWellFormed() && ![...written].some((character) => character < ' ' && character.trim() !== '');

/** What a written value of a key means. */
export function readValue(key: Key, written: string): ReadValue {
  if (!isReadable(written)) return refusal('remove the characters that cannot be seen');
  const row: KeyRow = KEYS[key];
  const parts = partsOf(written);
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
      const read = { number: readNumber, duration: readDuration, date: readMoment }[row.kind](text);
      return 'range' in read ? { values: [read.range] } : refusal(read.advice, read.suggestions);
    }
  }
}
