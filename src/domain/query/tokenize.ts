/** A part of the text with its position. */
export interface TextSpan {
  start: number;
  end: number;
  text: string;
}

/** One term as written: the text between unquoted spaces. */
export interface RawTerm extends TextSpan {
  isNot: boolean;
  /** Absent if the term is text to search for. */
  key?: TextSpan;
  /** The comma-separated values; at least one, but values may be empty. */
  values: TextSpan[];
  isClosed: boolean;
}

const ESCAPED = '"\\*';

/** A backslash before any other character is literal. */
const isEscape = (text: string, at: number) =>
  text[at] === '\\' && at + 1 < text.length && ESCAPED.includes(text.charAt(at + 1));

export const isWhitespace = (character: string) => character.trim() === '';

const spanOf = (text: string, start: number, end: number): TextSpan => ({ start, end, text: text.slice(start, end) });

function termAt(text: string, start: number): RawTerm {
  const isNot = text[start] === '-';
  let from = isNot ? start + 1 : start;
  let at = from;
  let key: TextSpan | undefined;
  let isQuoted = false;
  let canBeKey = true;
  const values: TextSpan[] = [];
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (isEscape(text, at)) at++;
    else if (character === '"') {
      isQuoted = !isQuoted;
      canBeKey = false;
    } else if (isQuoted) continue;
    else if (isWhitespace(character)) break;
    else if (character === ':' && canBeKey) {
      key = spanOf(text, from, at);
      from = at + 1;
      canBeKey = false;
    } else if (character === ',') {
      values.push(spanOf(text, from, at));
      from = at + 1;
      canBeKey = false;
    }
  }
  values.push(spanOf(text, from, at));
  return { ...spanOf(text, start, at), isNot, ...(key && { key }), values, isClosed: !isQuoted };
}

/** Splits a text into terms with their positions, in one pass and without validation: for parsing and highlighting. */
export function tokenize(text: string): RawTerm[] {
  const terms: RawTerm[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isWhitespace(text.charAt(at))) continue;
    const term = termAt(text, at);
    terms.push(term);
    at = term.end;
  }
  return terms;
}

/** A written value without quotes and escapes, split at its stars. */
export function splitAtStars(written: string): [string, ...string[]] {
  const parts: [string, ...string[]] = [''];
  let part = '';
  for (let at = 0; at < written.length; at++) {
    const character = written.charAt(at);
    if (isEscape(written, at)) {
      at++;
      part += written.charAt(at);
    } else if (character === '*') {
      parts[parts.length - 1] = part;
      parts.push('');
      part = '';
    } else if (character !== '"') part += character;
  }
  parts[parts.length - 1] = part;
  return parts;
}

/** A written value without quotes and escapes, with literal stars. */
export const unquote = (written: string): string => splitAtStars(written).join('*');
