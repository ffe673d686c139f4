import { KEYS, type Key, type KeyRow, keyNamed, keyNames } from './keys.ts';
import { type Piece, plainOf, scan } from './scan.ts';
import { wordNamed } from './words.ts';

/** What is being typed at the cursor, and which stretch of the text a chosen offer replaces. */
export type Completion = {
  start: number;
  end: number;
  /** What stands before the cursor in that stretch, without quotes. */
  prefix: string;
  /** What the grammar itself can offer; names of projects and the like are asked from the server. */
  offers: string[];
} & ({ kind: 'key' } | { kind: 'value'; key: Key } | { kind: 'text' });

interface Place {
  text: string;
  cursor: number;
  start: number;
  end: number;
}

function keyCompletion({ text, cursor, start, end }: Place): Completion {
  const prefix = text.slice(start, cursor);
  const typed = prefix.toLowerCase();
  const names = [...keyNames()].flatMap(([name, key]) => (name.startsWith(typed) && key !== 'text' ? [key] : []));
  return { kind: 'key', start, end, prefix, offers: [...new Set(names)].sort() };
}

/** Length of the `>=` or `low..` before the word that is being typed. */
function operatorLength({ isOrdered }: KeyRow, written: string): number {
  if (!isOrdered) return 0;
  const dots = written.indexOf('..');
  if (dots >= 0) return dots + 2;
  if (!written.startsWith('>') && !written.startsWith('<')) return 0;
  return written[1] === '=' ? 2 : 1;
}

function valueCompletion({ text, cursor, start, end }: Place, key: Key, piece: Piece): Completion {
  const row: KeyRow = KEYS[key];
  const from = start + operatorLength(row, text.slice(start, cursor));
  const prefix = plainOf(text.slice(from, cursor));
  const others = piece.values.filter((slice) => slice.start !== start);
  const taken = new Set(others.map((slice) => wordNamed(row.words, plainOf(slice.text))?.word));
  const typed = prefix.toLowerCase().replaceAll('_', '-');
  const offers = row.words.map(({ word }) => word).filter((word) => word.startsWith(typed) && !taken.has(word));
  return { kind: 'value', key, start: from, end, prefix, offers };
}

/** What could be completed at a cursor: a key, a value of a key, or nothing because it is text to search for. */
export function completionAt(text: string, position: number): Completion {
  const cursor = Math.min(Math.max(Math.trunc(position) || 0, 0), text.length);
  const piece = scan(text).find(({ start, end }) => start <= cursor && cursor <= end);
  const bodyStart = piece ? piece.start + (piece.isNot ? 1 : 0) : cursor;
  if (!piece || cursor < bodyStart) return keyCompletion({ text, cursor, start: cursor, end: cursor });
  if (piece.key && cursor <= piece.key.end) {
    return keyCompletion({ text, cursor, start: piece.key.start, end: piece.key.end });
  }
  const value = piece.values.find(({ start, end }) => start <= cursor && cursor <= end);
  const place = { text, cursor, start: value?.start ?? bodyStart, end: value?.end ?? piece.end };
  const key = piece.key && keyNamed(piece.key.text);
  if (key && key !== 'text') return valueCompletion(place, key, piece);
  if (!piece.key && piece.values.length === 1 && text[place.start] !== '"') return keyCompletion(place);
  const prefix = plainOf(text.slice(place.start, cursor));
  return { kind: 'text', start: place.start, end: place.end, prefix, offers: [] };
}
