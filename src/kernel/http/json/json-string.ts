import type { JsonCursor } from '#kernel/http/json/json-cursor.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const FOUR_HEX_DIGITS = /^[0-9a-fA-F]{4}$/;
const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Parses the string at the cursor; the result is well-formed Unicode without NUL, so that PostgreSQL can store it. */
export function readString(cursor: JsonCursor, maxBytes: number): string {
  const text = cursor.text;
  const start = cursor.at;
  let at = start + 1;
  let code = text.charCodeAt(at);
  while (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) code = text.charCodeAt(++at);
  cursor.at = at;
  const value = code === QUOTE ? text.slice(start + 1, at) : readEscaped(cursor, start);
  cursor.at += 1;
  if (value.length > maxBytes || (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes)) {
    throw cursor.limitErrorAt(`A string is longer than ${maxBytes} bytes.`, start);
  }
  return value;
}

function readEscaped(cursor: JsonCursor, start: number): string {
  const text = cursor.text;
  let value = '';
  let copied = start + 1;
  for (;;) {
    const code = text.charCodeAt(cursor.at);
    if (code === BACKSLASH) {
      value += text.slice(copied, cursor.at) + readEscape(cursor);
      copied = cursor.at;
    } else if (code === QUOTE) break;
    else if (code >= 0x20) cursor.at += 1;
    else if (cursor.at < text.length) throw cursor.errorAt('A control character in a string must be escaped.');
    else throw cursor.errorAt('The body ends within a string.');
  }
  value += text.slice(copied, cursor.at);
  if (!value.isWellFormed()) throw cursor.errorAt('A string has half of a surrogate pair in it.', start);
  return value;
}

function readEscape(cursor: JsonCursor): string {
  const start = cursor.at;
  if (cursor.text.charCodeAt(start + 1) === LOWER_U) {
    const digits = cursor.text.slice(start + 2, start + 6);
    if (!FOUR_HEX_DIGITS.test(digits)) throw cursor.errorAt("Four hexadecimal digits must follow '\\u'.");
    if (digits === '0000') throw cursor.errorAt('A string must not contain the NUL character.');
    cursor.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
  const character = SIMPLE_ESCAPES.get(cursor.text.charAt(start + 1));
  if (character === undefined) throw cursor.errorAt("The character after '\\' does not make an escape.");
  cursor.at += 2;
  return character;
}
