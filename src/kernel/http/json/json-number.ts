import { isDigit, type JsonCursor } from '#kernel/http/json/json-cursor.ts';

const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const LOWER_E = 0x65;
const MAX_SAFE_LENGTH = 15;

/** Parses the number at the cursor; an integer that a double cannot represent exactly becomes a bigint. */
export function readNumber(cursor: JsonCursor, maxCharacters: number): number | bigint {
  const text = cursor.text;
  const start = cursor.at;
  if (text.charCodeAt(start) === MINUS) cursor.at += 1;
  if (text.charCodeAt(cursor.at) === ZERO) cursor.at += 1;
  else skipDigits(cursor);
  const integerEnd = cursor.at;
  if (text.charCodeAt(cursor.at) === DOT) {
    cursor.at += 1;
    skipDigits(cursor);
  }
  // Setting this bit maps 'E' to 'e', and no other character to it.
  if ((text.charCodeAt(cursor.at) | 0x20) === LOWER_E) {
    const sign = text.charAt(cursor.at + 1);
    cursor.at += sign === '+' || sign === '-' ? 2 : 1;
    skipDigits(cursor);
  }
  const length = cursor.at - start;
  if (length > maxCharacters) {
    throw cursor.limitErrorAt(`A number is longer than ${maxCharacters} characters.`, start);
  }
  const digits = text.slice(start, cursor.at);
  const value = Number(digits);
  if (!Number.isFinite(value)) throw cursor.errorAt('A number is too large to be represented.', start);
  const isInteger = cursor.at === integerEnd;
  return !isInteger || length <= MAX_SAFE_LENGTH || Number.isSafeInteger(value) ? value : BigInt(digits);
}

function skipDigits(cursor: JsonCursor): void {
  const text = cursor.text;
  let at = cursor.at;
  while (isDigit(text.charCodeAt(at))) at += 1;
  if (at === cursor.at) throw cursor.expectedError('a digit');
  cursor.at = at;
}
