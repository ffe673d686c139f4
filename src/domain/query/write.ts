import { KEYS, type KeyRow } from './keys.ts';
import { isSpace } from './scan.ts';
import type { DurationRange, Moment, MomentRange, NumberRange, Term, Value } from './structure.ts';
import { dayAfter, dayText, durationText } from './time.ts';

const escaped = (text: string, characters: string) =>
  [...text].map((character) => (characters.includes(character) ? `\\${character}` : character)).join('');

const quoted = (text: string) =>
  [...text].some((character) => character === ',' || character === '"' || isSpace(character)) ? `"${text}"` : text;

function numberText({ from, to, above, below }: NumberRange): string {
  if (above !== undefined) return `>${above}`;
  if (below !== undefined) return `<${below}`;
  if (from === to) return `${from}`;
  if (from === undefined) return `<=${to}`;
  return to === undefined ? `>=${from}` : `${from}..${to}`;
}

function rangeOfDurationsText({ fromMs, toMs }: DurationRange): string {
  if (fromMs === undefined) return `<${durationText(toMs ?? 0)}`;
  return toMs === undefined ? `>${durationText(fromMs)}` : `${durationText(fromMs)}..${durationText(toMs)}`;
}

const momentText = (moment: Moment) => ('at' in moment ? dayText(moment.at) : `-${durationText(moment.agoMs)}`);

/** The last day before a moment, because the ends of what is written with `..` both belong to it. */
const lastText = (moment: Moment) =>
  'at' in moment ? dayText(dayAfter(moment.at, -1) ?? moment.at) : momentText(moment);

function rangeOfMomentsText({ from, to }: MomentRange): string {
  if (!from) return to ? `<${momentText(to)}` : '..';
  if (!to) return `${'at' in from ? '>=' : '>'}${momentText(from)}`;
  const [first, last] = [momentText(from), lastText(to)];
  return first === last ? first : `${first}..${last}`;
}

function exactText({ kind, words, spelling }: KeyRow, value: string): string {
  if (kind === 'enum') return words.find(({ stored }) => stored === value)?.word ?? value;
  const text = spelling ? spelling.write(value) : value;
  return quoted(escaped(text, kind === 'glob' ? '"\\*' : '"\\'));
}

function globText({ spelling }: KeyRow, [first = '', ...rest]: readonly string[]): string {
  const parts = [spelling ? spelling.write(first) : first, ...rest];
  return quoted(parts.map((part) => escaped(part, '"\\*')).join('*'));
}

/** A value as it is written after its key, in the one way that is canonical. */
export function valueText(key: Term['key'], value: Value): string {
  switch (value.kind) {
    case 'exact':
      return exactText(KEYS[key], value.value);
    case 'glob':
      return globText(KEYS[key], value.parts);
    case 'text':
      return `"${escaped(value.text, '"\\')}"`;
    case 'range':
      if (value.of === 'number') return numberText(value);
      return value.of === 'duration' ? rangeOfDurationsText(value) : rangeOfMomentsText(value);
  }
}

/** A term as it is written: what a chip shows, and what "drop … to see more" names. */
export function termText({ key, isNot, values }: Term): string {
  const name = key === 'text' ? '' : `${key}:`;
  return `${isNot ? '-' : ''}${name}${values.map((value) => valueText(key, value)).join(',')}`;
}
