import { KEYS, type Key, keyNamed, keyNames } from './keys.ts';
import { nearest } from './nearest.ts';
import { canonical, print } from './print.ts';
import { type Piece, type Slice, scan } from './scan.ts';
import { LENGTH_MAX, type Problem, type Query, TERMS_MAX, type Term, VALUES_MAX, type Value } from './structure.ts';
import { readValue } from './values.ts';

/**
 * What was understood, and what was not. Terms with problems are left out, which can widen the query: show the problems
 * beside a list, and refuse to change anything by a query that has some.
 */
export interface Parsed {
  query: Query;
  problems: Problem[];
}

type Place = Pick<Slice, 'start' | 'end'>;

const problem = (code: Problem['code'], { start, end }: Place, message: string, suggestions: string[] = []) => ({
  code,
  start,
  end,
  message,
  suggestions,
});

const thousands = (count: number) => count.toLocaleString('en');
const shown = (text: string) => `"${text.slice(0, 40).toWellFormed()}${text.length > 40 ? '…' : ''}"`;

function unknownKey(piece: Piece, key: Slice): Problem {
  if (key.text === '')
    return problem('UNKNOWN_KEY', piece, 'Write a filter before the colon, or put the text in quotes.');
  const suggestions = nearest(key.text, keyNames());
  const advice = suggestions[0] ? `use ${suggestions[0]}, or put the text in quotes` : 'put the text in quotes';
  return problem('UNKNOWN_KEY', key, `There is no filter called ${shown(key.text)}: ${advice}.`, suggestions);
}

function emptyValue(piece: Piece, key: Key, place: Slice): Problem {
  if (piece.values.length > 1)
    return problem('EMPTY_VALUE', place, 'Remove the comma here, or write a value beside it.');
  if (key !== 'text')
    return problem('EMPTY_VALUE', piece, `Write a value right after the colon, such as ${KEYS[key].example}.`);
  const message = piece.isNot
    ? 'Write what to leave out right after the minus, such as -tag:legacy.'
    : 'Write the text to search for between the quotes.';
  return problem('EMPTY_VALUE', piece, message);
}

const isEmpty = ({ text }: Slice) => text === '' || /^"+$/.test(text);

function valuesOf(piece: Piece, key: Key, problems: Problem[]): Value[] {
  return piece.values.slice(0, VALUES_MAX).flatMap((slice) => {
    if (isEmpty(slice)) {
      problems.push(emptyValue(piece, key, slice));
      return [];
    }
    const read = readValue(key, slice.text);
    if ('values' in read) return read.values;
    const message = `${shown(slice.text)} is not understood here: ${read.advice}.`;
    problems.push(problem('UNKNOWN_VALUE', slice, message, read.suggestions));
    return [];
  });
}

function termsOf(piece: Piece, problems: Problem[]): Term[] {
  const key = piece.key ? keyNamed(piece.key.text) : 'text';
  if (piece.key && !key) problems.push(unknownKey(piece, piece.key));
  if (!piece.isClosed) problems.push(problem('UNCLOSED_QUOTE', piece, 'Close the quote with another ".'));
  if (!key) return [];
  const values = valuesOf(piece, key, problems);
  const extra = piece.values[VALUES_MAX];
  if (extra) {
    const message = `Write at most ${VALUES_MAX} values here; there are ${thousands(piece.values.length)}.`;
    problems.push(problem('TOO_MANY_VALUES', { start: extra.start, end: piece.end }, message));
  }
  return values.length > 0 ? [{ key, isNot: piece.isNot, values }] : [];
}

/** Words can be longer in full than as typed; what no longer fits is left out, so that the text can be kept. */
function fitting(query: Query, text: string, problems: Problem[]): Query {
  const length = print(query).length;
  if (length <= LENGTH_MAX) return query;
  const message = `Shorten the filter to ${thousands(LENGTH_MAX)} characters; in full it has ${thousands(length)}.`;
  problems.push(problem('TOO_LONG', { start: 0, end: text.length }, message));
  const terms = [...query.terms];
  while (print({ terms }).length > LENGTH_MAX) terms.pop();
  return { terms };
}

/** Reads a filter such as `is:open severity:critical,high -tag:legacy "jwt"`. Never throws, whatever the text is. */
export function parse(text: string): Parsed {
  const problems: Problem[] = [];
  // One unit more than allowed shows which term the limit cuts; what comes after it is never looked at.
  const pieces = scan(text.slice(0, LENGTH_MAX + 1)).filter(({ end }) => end <= LENGTH_MAX);
  const terms = pieces.slice(0, TERMS_MAX).flatMap((piece) => termsOf(piece, problems));
  const extra = pieces[TERMS_MAX];
  if (extra) {
    const message = `Write at most ${TERMS_MAX} terms; there are ${pieces.length}.`;
    problems.push(problem('TOO_MANY_TERMS', { start: extra.start, end: pieces.at(-1)?.end ?? extra.end }, message));
  }
  if (text.length > LENGTH_MAX) {
    const message = `Shorten the filter to ${thousands(LENGTH_MAX)} characters; it has ${thousands(text.length)}.`;
    problems.push(problem('TOO_LONG', { start: LENGTH_MAX, end: text.length }, message));
  }
  return { query: fitting(canonical(terms), text, problems), problems };
}
