import { isUtf8 } from 'node:buffer';
import { JsonParseError, jsonErrorAt } from '#kernel/http/json/json-error.ts';

const BYTE_ORDER_MARK = '\ufeff';
const LONE_SURROGATE = /\p{Surrogate}/u;
const MAX_QUOTED_LENGTH = 64;

/** Decodes the bytes of a body; invalid UTF-8 is an error and never replaced. */
export function decodeJsonText(body: Uint8Array | string, maxBytes: number): string {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > maxBytes) {
    const reason = `The body is larger than ${maxBytes} bytes.`;
    throw new JsonParseError({ reason, line: 1, column: 1, isTooLarge: true });
  }
  const text = typeof body === 'string' ? body : decoded(body);
  if (!text.isWellFormed()) {
    throw jsonErrorAt(text, text.search(LONE_SURROGATE), 'The body has half of a surrogate pair in it.');
  }
  if (text.startsWith(BYTE_ORDER_MARK)) throw jsonErrorAt(text, 0, 'The body starts with a byte order mark.');
  return text;
}

function decoded(body: Uint8Array): string {
  if (!isUtf8(body)) throw invalidUtf8(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function invalidUtf8(body: Uint8Array): JsonParseError {
  const lossy = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body));
  let firstBad = 0;
  while (firstBad < body.length && body[firstBad] === lossy[firstBad]) firstBad += 1;
  // In stream mode the decoder omits a truncated sequence at the end, so the offset is where the bad sequence starts.
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, firstBad), { stream: true });
  return jsonErrorAt(before, before.length, 'The body is not valid UTF-8.');
}

/** Quotes a member name for an error message, truncated because a name may be very long. */
export function quoteMemberName(name: string): string {
  if (name.length <= MAX_QUOTED_LENGTH) return JSON.stringify(name);
  return JSON.stringify(`${name.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…`);
}
