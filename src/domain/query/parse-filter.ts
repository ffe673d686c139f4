import {
  type FilterProblem,
  MAX_FILTER_LENGTH,
  MAX_TERMS,
  MAX_VALUES_PER_TERM,
  type Query,
  type Term,
  type TermValue,
} from './ast.ts';
import { canonicalize, formatQuery } from './format-query.ts';
import { parseValue } from './parse-value.ts';
import { suggestSpellings } from './spelling-suggestions.ts';
import { type RawTerm, type TextSpan, tokenize } from './tokenize.ts';
import { FILTER_KEYS, type FilterKey, filterKeyNames, findFilterKey } from './vocabulary/keys.ts';

/**
 * What was understood, and what was not. Terms with problems are left out, which can widen the query: show the problems
 * beside a list, and refuse to change anything by a query that has some.
 */
export interface ParsedFilter {
  query: Query;
  problems: FilterProblem[];
}

type Place = Pick<TextSpan, 'start' | 'end'>;

const problem = (code: FilterProblem['code'], { start, end }: Place, message: string, suggestions: string[] = []) => ({
  code,
  start,
  end,
  message,
  suggestions,
});

const thousands = (count: number) => count.toLocaleString('en');
const shown = (text: string) => `"${text.slice(0, 40).toWellFormed()}${text.length > 40 ? '…' : ''}"`;

function unknownKey(piece: RawTerm, key: TextSpan): FilterProblem {
  if (key.text === '')
    return problem('UNKNOWN_KEY', piece, 'Write a filter before the colon, or put the text in quotes.');
  const suggestions = suggestSpellings(key.text, filterKeyNames());
  const advice = suggestions[0] ? `use ${suggestions[0]}, or put the text in quotes` : 'put the text in quotes';
  return problem('UNKNOWN_KEY', key, `There is no filter called ${shown(key.text)}: ${advice}.`, suggestions);
}

function emptyValue(piece: RawTerm, key: FilterKey, place: TextSpan): FilterProblem {
  if (piece.values.length > 1)
    return problem('EMPTY_VALUE', place, 'Remove the comma here, or write a value beside it.');
  if (key !== 'text')
    return problem('EMPTY_VALUE', piece, `Write a value right after the colon, such as ${FILTER_KEYS[key].example}.`);
  const message = piece.isNot
    ? 'Write what to leave out right after the minus, such as -tag:legacy.'
    : 'Write the text to search for between the quotes.';
  return problem('EMPTY_VALUE', piece, message);
}

const isEmpty = ({ text }: TextSpan) => text === '' || /^"+$/.test(text);

function valuesOf(piece: RawTerm, key: FilterKey, problems: FilterProblem[]): TermValue[] {
  return piece.values.slice(0, MAX_VALUES_PER_TERM).flatMap((slice) => {
    if (isEmpty(slice)) {
      problems.push(emptyValue(piece, key, slice));
      return [];
    }
    const read = parseValue(key, slice.text);
    if ('values' in read) return read.values;
    const message = `${shown(slice.text)} is not understood here: ${read.advice}.`;
    problems.push(problem('UNKNOWN_VALUE', slice, message, read.suggestions));
    return [];
  });
}

function termsOf(piece: RawTerm, problems: FilterProblem[]): Term[] {
  const key = piece.key ? findFilterKey(piece.key.text) : 'text';
  if (piece.key && !key) problems.push(unknownKey(piece, piece.key));
  if (!piece.isClosed) problems.push(problem('UNCLOSED_QUOTE', piece, 'Close the quote with another ".'));
  if (!key) return [];
  const values = valuesOf(piece, key, problems);
  const extra = piece.values[MAX_VALUES_PER_TERM];
  if (extra) {
    const message = `Write at most ${MAX_VALUES_PER_TERM} values here; there are ${thousands(piece.values.length)}.`;
    problems.push(problem('TOO_MANY_VALUES', { start: extra.start, end: piece.end }, message));
  }
  return values.length > 0 ? [{ key, isNot: piece.isNot, values }] : [];
}

/** Words can be longer in full than as typed; what no longer fits is left out, so that the text can be kept. */
function fitting(query: Query, text: string, problems: FilterProblem[]): Query {
  const length = formatQuery(query).length;
  if (length <= MAX_FILTER_LENGTH) return query;
  const message = `Shorten the filter to ${thousands(MAX_FILTER_LENGTH)} characters; in full it has ${thousands(length)}.`;
  problems.push(problem('TOO_LONG', { start: 0, end: text.length }, message));
  const terms = [...query.terms];
  while (formatQuery({ terms }).length > MAX_FILTER_LENGTH) terms.pop();
  return { terms };
}

/** Reads a filter such as `is:open severity:critical,high -tag:legacy "jwt"`. Never throws, whatever the text is. */
export function parseFilter(text: string): ParsedFilter {
  const problems: FilterProblem[] = [];
  // One unit more than allowed shows which term the limit cuts; what comes after it is never looked at.
  const pieces = tokenize(text.slice(0, MAX_FILTER_LENGTH + 1)).filter(({ end }) => end <= MAX_FILTER_LENGTH);
  const terms = pieces.slice(0, MAX_TERMS).flatMap((piece) => termsOf(piece, problems));
  const extra = pieces[MAX_TERMS];
  if (extra) {
    const message = `Write at most ${MAX_TERMS} terms; there are ${pieces.length}.`;
    problems.push(problem('TOO_MANY_TERMS', { start: extra.start, end: pieces.at(-1)?.end ?? extra.end }, message));
  }
  if (text.length > MAX_FILTER_LENGTH) {
    const message = `Shorten the filter to ${thousands(MAX_FILTER_LENGTH)} characters; it has ${thousands(text.length)}.`;
    problems.push(problem('TOO_LONG', { start: MAX_FILTER_LENGTH, end: text.length }, message));
  }
  return { query: fitting(canonicalize(terms), text, problems), problems };
}
