import { type RawTerm, tokenize, unquote } from './tokenize.ts';
import { findEnumValue } from './vocabulary/enum-values.ts';
import {
  FILTER_KEYS,
  type FilterKey,
  type FilterKeyDefinition,
  filterKeyNames,
  findFilterKey,
} from './vocabulary/keys.ts';

/** What is being typed at the cursor, and the range of the text that a chosen offer replaces. */
export type FilterCompletion = {
  start: number;
  end: number;
  /** The text of that range before the cursor, without quotes. */
  prefix: string;
  /** The offers of the grammar itself; the server offers names such as those of projects. */
  offers: string[];
} & ({ kind: 'key' } | { kind: 'value'; key: FilterKey } | { kind: 'text' });

interface CursorContext {
  text: string;
  cursor: number;
  start: number;
  end: number;
}

function keyCompletion({ text, cursor, start, end }: CursorContext): FilterCompletion {
  const prefix = text.slice(start, cursor);
  const typed = prefix.toLowerCase();
  const names = [...filterKeyNames()].flatMap(([name, key]) => (name.startsWith(typed) && key !== 'text' ? [key] : []));
  return { kind: 'key', start, end, prefix, offers: [...new Set(names)].sort() };
}

/** The length of the `>=` or `low..` before the value that is being typed. */
function operatorLength({ isOrdered }: FilterKeyDefinition, written: string): number {
  if (!isOrdered) return 0;
  const dots = written.indexOf('..');
  if (dots >= 0) return dots + 2;
  if (!written.startsWith('>') && !written.startsWith('<')) return 0;
  return written[1] === '=' ? 2 : 1;
}

function valueCompletion({ text, cursor, start, end }: CursorContext, key: FilterKey, term: RawTerm): FilterCompletion {
  const definition: FilterKeyDefinition = FILTER_KEYS[key];
  const from = start + operatorLength(definition, text.slice(start, cursor));
  const prefix = unquote(text.slice(from, cursor));
  const others = term.values.filter((span) => span.start !== start);
  const taken = new Set(others.map((span) => findEnumValue(definition.values, unquote(span.text))?.name));
  const typed = prefix.toLowerCase().replaceAll('_', '-');
  const offers = definition.values.map(({ name }) => name).filter((word) => word.startsWith(typed) && !taken.has(word));
  return { kind: 'value', key, start: from, end, prefix, offers };
}

/** What can be completed at a cursor: a key, a value of a key, or nothing within text to search for. */
export function completionAt(text: string, position: number): FilterCompletion {
  const cursor = Math.min(Math.max(Math.trunc(position) || 0, 0), text.length);
  const term = tokenize(text).find(({ start, end }) => start <= cursor && cursor <= end);
  const bodyStart = term ? term.start + (term.isNot ? 1 : 0) : cursor;
  if (!term || cursor < bodyStart) return keyCompletion({ text, cursor, start: cursor, end: cursor });
  if (term.key && cursor <= term.key.end) {
    return keyCompletion({ text, cursor, start: term.key.start, end: term.key.end });
  }
  const value = term.values.find(({ start, end }) => start <= cursor && cursor <= end);
  const context = { text, cursor, start: value?.start ?? bodyStart, end: value?.end ?? term.end };
  const key = term.key && findFilterKey(term.key.text);
  if (key && key !== 'text') return valueCompletion(context, key, term);
  if (!term.key && term.values.length === 1 && text[context.start] !== '"') return keyCompletion(context);
  const prefix = unquote(text.slice(context.start, cursor));
  return { kind: 'text', start: context.start, end: context.end, prefix, offers: [] };
}
