import { type RawTerm, tokenize, unquote } from './tokenize.ts';
import { findEnumValue } from './vocabulary/enum-values.ts';
import {
  FILTER_KEYS,
  type FilterKey,
  type FilterKeyDefinition,
  filterKeyNames,
  findFilterKey,
} from './vocabulary/keys.ts';

/** What is being typed at the cursor, and which stretch of the text a chosen offer replaces. */
export type FilterCompletion = {
  start: number;
  end: number;
  /** What stands before the cursor in that stretch, without quotes. */
  prefix: string;
  /** What the grammar itself can offer; names of projects and the like are asked from the server. */
  offers: string[];
} & ({ kind: 'key' } | { kind: 'value'; key: FilterKey } | { kind: 'text' });

interface Place {
  text: string;
  cursor: number;
  start: number;
  end: number;
}

function keyCompletion({ text, cursor, start, end }: Place): FilterCompletion {
  const prefix = text.slice(start, cursor);
  const typed = prefix.toLowerCase();
  const names = [...filterKeyNames()].flatMap(([name, key]) => (name.startsWith(typed) && key !== 'text' ? [key] : []));
  return { kind: 'key', start, end, prefix, offers: [...new Set(names)].sort() };
}

/** Length of the `>=` or `low..` before the word that is being typed. */
function operatorLength({ isOrdered }: FilterKeyDefinition, written: string): number {
  if (!isOrdered) return 0;
  const dots = written.indexOf('..');
  if (dots >= 0) return dots + 2;
  if (!written.startsWith('>') && !written.startsWith('<')) return 0;
  return written[1] === '=' ? 2 : 1;
}

function valueCompletion({ text, cursor, start, end }: Place, key: FilterKey, piece: RawTerm): FilterCompletion {
  const row: FilterKeyDefinition = FILTER_KEYS[key];
  const from = start + operatorLength(row, text.slice(start, cursor));
  const prefix = unquote(text.slice(from, cursor));
  const others = piece.values.filter((slice) => slice.start !== start);
  const taken = new Set(others.map((slice) => findEnumValue(row.values, unquote(slice.text))?.name));
  const typed = prefix.toLowerCase().replaceAll('_', '-');
  const offers = row.values.map(({ name }) => name).filter((word) => word.startsWith(typed) && !taken.has(word));
  return { kind: 'value', key, start: from, end, prefix, offers };
}

/** What could be completed at a cursor: a key, a value of a key, or nothing because it is text to search for. */
export function completionAt(text: string, position: number): FilterCompletion {
  const cursor = Math.min(Math.max(Math.trunc(position) || 0, 0), text.length);
  const piece = tokenize(text).find(({ start, end }) => start <= cursor && cursor <= end);
  const bodyStart = piece ? piece.start + (piece.isNot ? 1 : 0) : cursor;
  if (!piece || cursor < bodyStart) return keyCompletion({ text, cursor, start: cursor, end: cursor });
  if (piece.key && cursor <= piece.key.end) {
    return keyCompletion({ text, cursor, start: piece.key.start, end: piece.key.end });
  }
  const value = piece.values.find(({ start, end }) => start <= cursor && cursor <= end);
  const place = { text, cursor, start: value?.start ?? bodyStart, end: value?.end ?? piece.end };
  const key = piece.key && findFilterKey(piece.key.text);
  if (key && key !== 'text') return valueCompletion(place, key, piece);
  if (!piece.key && piece.values.length === 1 && text[place.start] !== '"') return keyCompletion(place);
  const prefix = unquote(text.slice(place.start, cursor));
  return { kind: 'text', start: place.start, end: place.end, prefix, offers: [] };
}
