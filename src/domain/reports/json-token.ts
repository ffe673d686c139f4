import { ReportProblem } from './report-problem.ts';

export type TokenKind = 'container' | 'string' | 'scalar';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
export const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
export const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
export const isQuote = (byte: number): boolean => byte === QUOTE;

/** The value or key that is being read; its end may be pieces away, and it is held only while it is small enough. */
export class JsonToken {
  readonly kind: TokenKind;
  /** Where in the document it starts. */
  readonly offset: number;
  /** Bytes so far. */
  size = 0;
  readonly #maxBytes: number;
  readonly #maxDepth: number;
  #pieces: Buffer[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(kind: TokenKind, offset: number, limits: { maxBytes: number; maxDepth: number }) {
    this.kind = kind;
    this.offset = offset;
    this.#maxBytes = limits.maxBytes;
    this.#maxDepth = limits.maxDepth;
  }

  get isOversize(): boolean {
    return this.size > this.#maxBytes;
  }

  /** Takes its part of the chunk; the index after its last byte, or -1 when it goes on in the next chunk. */
  take(chunk: Buffer, from: number): number {
    const end = this.kind === 'scalar' ? endOfScalar(chunk, from) : this.#endOfOther(chunk, from);
    const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
    this.size += piece.length;
    if (this.isOversize) this.#pieces = [];
    else this.#pieces.push(piece);
    return end;
  }

  text(): string {
    const [first] = this.#pieces;
    return (this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)).toString('utf8');
  }

  #endOfOther(chunk: Buffer, from: number): number {
    let isInString = this.#isInString;
    let isEscaped = this.#isEscaped;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isInString = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) isInString = true;
      else if (isOpening(byte)) this.#deepen(at - from);
      else if (isClosing(byte) && --this.#depth === 0) return at + 1;
    }
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    return -1;
  }

  #deepen(ahead: number): void {
    this.#depth++;
    if (this.#depth > this.#maxDepth) throw tooDeep(this.offset + this.size + ahead);
  }
}

function endOfScalar(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (isSpace(byte) || byte === 0x2c || isClosing(byte)) return at;
  }
  return -1;
}

export const tooDeep = (offset: number): ReportProblem =>
  new ReportProblem('TOO_DEEP', 'The JSON nests deeper than is allowed.', offset);
