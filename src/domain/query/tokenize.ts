/** A stretch of the text, as it is written. */
export interface TextSpan {
  start: number;
  end: number;
  text: string;
}

/** One term as it is written: what stands between spaces that are not in quotes. */
export interface RawTerm extends TextSpan {
  isNot: boolean;
  /** Absent where the piece is text to search for. */
  key?: TextSpan;
  /** What the commas separate; never empty, but its members may be. */
  values: TextSpan[];
  isClosed: boolean;
}

const ESCAPED = '"\\*';

/** A backslash before anything else is only a backslash. */
const isEscape = (text: string, at: number) =>
  text[at] === '\\' && at + 1 < text.length && ESCAPED.includes(text.charAt(at + 1));

export const isWhitespace = (character: string) => character.trim() === '';

const sliceOf = (text: string, start: number, end: number): TextSpan => ({ start, end, text: text.slice(start, end) });

function pieceAt(text: string, start: number): RawTerm {
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
      key = sliceOf(text, from, at);
      from = at + 1;
      canBeKey = false;
    } else if (character === ',') {
      values.push(sliceOf(text, from, at));
      from = at + 1;
      canBeKey = false;
    }
  }
  values.push(sliceOf(text, from, at));
  return { ...sliceOf(text, start, at), isNot, ...(key && { key }), values, isClosed: !isQuoted };
}

/** The terms of a text with their places, in one pass and without judging them: for the parser and for colouring. */
export function tokenize(text: string): RawTerm[] {
  const pieces: RawTerm[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isWhitespace(text.charAt(at))) continue;
    const piece = pieceAt(text, at);
    pieces.push(piece);
    at = piece.end;
  }
  return pieces;
}

/** A written value without quotes and escapes, cut at its stars. */
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

/** A written value without quotes and escapes, where a star is a star. */
export const unquote = (written: string): string => splitAtStars(written).join('*');
