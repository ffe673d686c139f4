import { suggestSpellings } from '#kernel/contract/spelling-suggestions.ts';
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
import { type RawTerm, type TextSpan, tokenize } from './tokenize.ts';
import { FILTER_KEYS, type FilterKey, filterKeyNames, findFilterKey } from './vocabulary/keys.ts';

/**
 * The query and the problems of a filter. Terms with problems are omitted, which can widen the query: show the problems
 * with a list, and never change data by a query that has problems.
 */
export interface ParsedFilter {
  query: Query;
  problems: FilterProblem[];
}

type SpanRange = Pick<TextSpan, 'start' | 'end'>;

const problem = (
  code: FilterProblem['code'],
  { start, end }: SpanRange,
  message: string,
  suggestions: string[] = [],
) => ({
  code,
  start,
  end,
  message,
  suggestions,
});

const formatCount = (count: number) => count.toLocaleString('en');
const SHORTEN = `Shorten the filter to ${formatCount(MAX_FILTER_LENGTH)} characters`;
const quote = (text: string) => `"${text.slice(0, 40).toWellFormed()}${text.length > 40 ? '…' : ''}"`;

function unknownKey(rawTerm: RawTerm, key: TextSpan): FilterProblem {
  if (key.text === '')
    return problem('UNKNOWN_KEY', rawTerm, 'Write a filter before the colon, or put the text in quotes.');
  const suggestions = suggestSpellings(key.text, filterKeyNames());
  const advice = suggestions[0] ? `use ${suggestions[0]}, or put the text in quotes` : 'put the text in quotes';
  return problem('UNKNOWN_KEY', key, `There is no filter called ${quote(key.text)}: ${advice}.`, suggestions);
}

function emptyValue(rawTerm: RawTerm, key: FilterKey, span: TextSpan): FilterProblem {
  if (rawTerm.values.length > 1)
    return problem('EMPTY_VALUE', span, 'Remove the comma here, or write a value beside it.');
  if (key !== 'text')
    return problem('EMPTY_VALUE', rawTerm, `Write a value right after the colon, such as ${FILTER_KEYS[key].example}.`);
  const message = rawTerm.isNot
    ? 'Write what to leave out right after the minus, such as -tag:legacy.'
    : 'Write the text to search for between the quotes.';
  return problem('EMPTY_VALUE', rawTerm, message);
}

const isEmpty = ({ text }: TextSpan) => text === '' || /^"+$/.test(text);

function valuesOf(rawTerm: RawTerm, key: FilterKey, problems: FilterProblem[]): TermValue[] {
  return rawTerm.values.slice(0, MAX_VALUES_PER_TERM).flatMap((span) => {
    if (isEmpty(span)) {
      problems.push(emptyValue(rawTerm, key, span));
      return [];
    }
    const result = parseValue(key, span.text);
    if ('values' in result) return result.values;
    const message = `${quote(span.text)} is not understood here: ${result.advice}.`;
    problems.push(problem('UNKNOWN_VALUE', span, message, result.suggestions));
    return [];
  });
}

function termsOf(rawTerm: RawTerm, problems: FilterProblem[]): Term[] {
  const key = rawTerm.key ? findFilterKey(rawTerm.key.text) : 'text';
  if (rawTerm.key && !key) problems.push(unknownKey(rawTerm, rawTerm.key));
  if (!rawTerm.isClosed) problems.push(problem('UNCLOSED_QUOTE', rawTerm, 'Close the quote with another ".'));
  if (!key) return [];
  const values = valuesOf(rawTerm, key, problems);
  const extra = rawTerm.values[MAX_VALUES_PER_TERM];
  if (extra) {
    const count = formatCount(rawTerm.values.length);
    const message = `Write at most ${MAX_VALUES_PER_TERM} values here; there are ${count}.`;
    problems.push(problem('TOO_MANY_VALUES', { start: extra.start, end: rawTerm.end }, message));
  }
  return values.length > 0 ? [{ key, isNot: rawTerm.isNot, values }] : [];
}

/** The canonical text can be longer than the input; terms that no longer fit are dropped, so that it can be stored. */
function truncate(query: Query, text: string, problems: FilterProblem[]): Query {
  const length = formatQuery(query).length;
  if (length <= MAX_FILTER_LENGTH) return query;
  const message = `${SHORTEN}; in full it has ${formatCount(length)}.`;
  problems.push(problem('TOO_LONG', { start: 0, end: text.length }, message));
  const terms = [...query.terms];
  while (formatQuery({ terms }).length > MAX_FILTER_LENGTH) terms.pop();
  return { terms };
}

/** Parses a filter such as `is:open severity:critical,high -tag:legacy "jwt"`. Never throws. */
export function parseFilter(text: string): ParsedFilter {
  const problems: FilterProblem[] = [];
  // One character more than allowed shows which term the limit cuts; the rest is not parsed.
  const rawTerms = tokenize(text.slice(0, MAX_FILTER_LENGTH + 1)).filter(({ end }) => end <= MAX_FILTER_LENGTH);
  const terms = rawTerms.slice(0, MAX_TERMS).flatMap((rawTerm) => termsOf(rawTerm, problems));
  const extra = rawTerms[MAX_TERMS];
  if (extra) {
    const message = `Write at most ${MAX_TERMS} terms; there are ${rawTerms.length}.`;
    problems.push(problem('TOO_MANY_TERMS', { start: extra.start, end: rawTerms.at(-1)?.end ?? extra.end }, message));
  }
  if (text.length > MAX_FILTER_LENGTH) {
    const message = `${SHORTEN}; it has ${formatCount(text.length)}.`;
    problems.push(problem('TOO_LONG', { start: MAX_FILTER_LENGTH, end: text.length }, message));
  }
  return { query: truncate(canonicalize(terms), text, problems), problems };
}
