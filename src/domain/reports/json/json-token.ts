import { ReportError } from '../report-error.ts';

export type JsonTokenKind = 'container' | 'string' | 'scalar';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
export const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
export const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
export const isQuote = (byte: number): boolean => byte === QUOTE;

/** Bytes that are significant outside of strings. */
const IS_SIGNIFICANT = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(isQuote(byte) || isOpening(byte) || isClosing(byte)),
);

/** The value or key being read; it may span chunks, and is buffered only up to its size limit. */
export class JsonToken {
  readonly kind: JsonTokenKind;
  /** Byte offset of its start. */
  readonly offset: number;
  /** Bytes read so far. */
  size = 0;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  #chunks: Buffer[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(kind: JsonTokenKind, offset: number, limits: { maxBytes: number; maxDepth: number }) {
    this.kind = kind;
    this.offset = offset;
    this.#maxBytes = limits.maxBytes;
    this.#maxDepth = limits.maxDepth;
  }

  get isOversize(): boolean {
    return this.size > this.#maxBytes;
  }

  /** Consumes a chunk; returns the index after its last byte, or -1 if it continues in the next chunk. */
  take(chunk: Buffer, from: number): number {
    const end = this.kind === 'scalar' ? endOfScalar(chunk, from) : this.#endOfText(chunk, from);
    const part = chunk.subarray(from, end === -1 ? chunk.length : end);
    this.size += part.length;
    if (this.isOversize) this.#chunks = [];
    else this.#chunks.push(part);
    return end;
  }

  bytes(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
  }

  /** The hot loop: skips insignificant bytes with as little work per byte as possible. */
  #endOfText(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    while (at < chunk.length) {
      if (this.#isInString) {
        while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++;
        if (chunk[at] === BACKSLASH) {
          this.#isEscaped = at + 1 === chunk.length;
          at += 2;
          continue;
        }
      } else while (at < chunk.length && !IS_SIGNIFICANT[chunk[at] ?? 0]) at++;
      if (at === chunk.length) break;
      if (this.#isLast(chunk[at++] ?? 0, at - 1 - from)) return at;
    }
    return -1;
  }

  /** Processes a quote or bracket; true if the token ends with it. */
  #isLast(byte: number, offsetInChunk: number): boolean {
    if (isQuote(byte)) this.#isInString = !this.#isInString;
    else if (isOpening(byte)) this.#deepen(offsetInChunk);
    else this.#depth--;
    return this.#depth === 0 && !this.#isInString;
  }

  #deepen(offsetInChunk: number): void {
    this.#depth++;
    if (this.#depth > this.#maxDepth) throw nestingError(this.offset + this.size + offsetInChunk);
  }
}

function endOfScalar(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (isSpace(byte) || byte === 0x2c || isClosing(byte)) return at;
  }
  return -1;
}

export const nestingError = (offset: number): ReportError =>
  new ReportError('TOO_DEEP', 'The JSON is nested too deeply.', offset);
