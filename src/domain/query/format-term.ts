import type { DurationRange, NumberRange, Term, TermValue, TimePoint, TimeRange } from './ast.ts';
import { addDays, formatDay, formatDuration } from './durations.ts';
import { isWhitespace } from './tokenize.ts';
import { FILTER_KEYS, type FilterKeyDefinition } from './vocabulary/keys.ts';

const escaped = (text: string, characters: string) =>
  [...text].map((character) => (characters.includes(character) ? `\\${character}` : character)).join('');

const quoted = (text: string) =>
  [...text].some((character) => character === ',' || character === '"' || isWhitespace(character)) ? `"${text}"` : text;

function numberText({ from, to, above, below }: NumberRange): string {
  if (above !== undefined) return `>${above}`;
  if (below !== undefined) return `<${below}`;
  if (from === to) return `${from}`;
  if (from === undefined) return `<=${to}`;
  return to === undefined ? `>=${from}` : `${from}..${to}`;
}

function durationRangeText({ fromMs, toMs }: DurationRange): string {
  if (fromMs === undefined) return `<${formatDuration(toMs ?? 0)}`;
  return toMs === undefined ? `>${formatDuration(fromMs)}` : `${formatDuration(fromMs)}..${formatDuration(toMs)}`;
}

const timePointText = (point: TimePoint) => ('at' in point ? formatDay(point.at) : `-${formatDuration(point.agoMs)}`);

/** The last day before the end, because both ends of a written `..` range are inclusive. */
const inclusiveEndText = (point: TimePoint) =>
  'at' in point ? formatDay(addDays(point.at, -1) ?? point.at) : timePointText(point);

function timeRangeText({ from, to }: TimeRange): string {
  if (!from) return to ? `<${timePointText(to)}` : '..';
  if (!to) return `${'at' in from ? '>=' : '>'}${timePointText(from)}`;
  const [first, last] = [timePointText(from), inclusiveEndText(to)];
  return first === last ? first : `${first}..${last}`;
}

function exactText({ kind, values, format }: FilterKeyDefinition, value: string): string {
  if (kind === 'enum') return values.find(({ stored }) => stored === value)?.name ?? value;
  const text = format ? format.format(value) : value;
  return quoted(escaped(text, kind === 'glob' ? '"\\*' : '"\\'));
}

function globText({ format }: FilterKeyDefinition, [first = '', ...rest]: readonly string[]): string {
  const parts = [format ? format.format(first) : first, ...rest];
  return quoted(parts.map((part) => escaped(part, '"\\*')).join('*'));
}

/** The canonical text of a value after its key. */
export function formatValue(key: Term['key'], value: TermValue): string {
  switch (value.kind) {
    case 'exact':
      return exactText(FILTER_KEYS[key], value.value);
    case 'glob':
      return globText(FILTER_KEYS[key], value.parts);
    case 'text':
      return `"${escaped(value.text, '"\\')}"`;
    case 'range':
      if (value.of === 'number') return numberText(value);
      return value.of === 'duration' ? durationRangeText(value) : timeRangeText(value);
  }
}

/** The text of a term, as chips show it. */
export function formatTerm({ key, isNot, values }: Term): string {
  const name = key === 'text' ? '' : `${key}:`;
  return `${isNot ? '-' : ''}${name}${values.map((value) => formatValue(key, value)).join(',')}`;
}
