import { ReportError } from '../report-error.ts';
import { type JsonPathNode, jsonPathTree } from './json-path-tree.ts';
import { isClosing, isOpening, isQuote, isSpace, JsonToken, type JsonTokenKind, nestingError } from './json-token.ts';
import { parseClean } from './parse-clean.ts';

/** A value extracted from a document, or the end of one. */
export interface JsonPart {
  path: string;
  /** For an end: `object` or `array`. */
  value: unknown;
  /** Byte offset of its start, or of the end. */
  offset: number;
  /** The member that matched the last `*` of the path. */
  key?: string;
  /** The raw bytes of an unparsed value; see `parseJsonPart`. */
  bytes?: Buffer;
  /** The size of a value that exceeds the limit; it has no value then. */
  oversizeBytes?: number;
}

type ExpectedToken = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'nothing';

interface ScannerFrame {
  isObject: boolean;
  node: JsonPathNode | undefined;
}

const isScalarStart = (byte: number) =>
  byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || byte === 0x74 || byte === 0x66 || byte === 0x6e;

/** Parses an extracted value. */
export function parseJsonPart({
  path,
  bytes,
  offset,
}: {
  path: string | undefined;
  bytes: Buffer;
  offset: number;
}): unknown {
  try {
    return parseClean(bytes.toString('utf8'));
  } catch {
    const what = path === undefined ? 'The report' : `A value of ${path}`;
    throw new ReportError('NOT_VALID', `${what} is not valid JSON.`, offset);
  }
}

/** A streaming JSON scanner that extracts the values at given paths, and holds at most one of them in memory. */
export class JsonScanner {
  readonly #limits: { maxDepth: number; maxValueBytes: number };
  readonly #unread: readonly string[];
  readonly #isSequence: boolean;
  readonly #root: JsonPathNode;
  readonly #frames: ScannerFrame[] = [];
  #node: JsonPathNode | undefined;
  #expected: ExpectedToken = 'value';
  #key: string | undefined;
  #token: JsonToken | undefined;
  #parts: JsonPart[] = [];
  /** Bytes before the current chunk. */
  #bytesBefore = 0;

  /** Values at `unread` paths are not parsed, and may be invalid JSON. A sequence has any number of documents. */
  constructor(
    paths: readonly string[],
    limits: { maxDepth: number; maxValueBytes: number },
    { unread = [], isSequence = false }: { unread?: readonly string[]; isSequence?: boolean } = {},
  ) {
    this.#limits = limits;
    this.#unread = unread;
    this.#isSequence = isSequence;
    this.#root = jsonPathTree(paths);
    this.#node = this.#root;
  }

  /** The parts completed by this chunk. */
  push(chunk: Buffer): JsonPart[] {
    this.#parts = [];
    let at = this.#bytesBefore === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (!this.#token) {
        at = this.#readStructure(chunk, at);
        continue;
      }
      const end = this.#token.take(chunk, at);
      if (end === -1) break;
      this.#finish(this.#token);
      at = end;
    }
    this.#bytesBefore += chunk.length;
    return this.#parts;
  }

  /** Ends the document. */
  finish(): JsonPart[] {
    this.#parts = [];
    if (this.#token?.kind === 'scalar' && this.#frames.length === 0) this.#finish(this.#token);
    const isBetweenDocuments = this.#isSequence && this.#frames.length === 0;
    if (this.#token || (this.#expected !== 'nothing' && !isBetweenDocuments)) {
      throw new ReportError('NOT_VALID', 'The report ends before its JSON is complete.', this.#bytesBefore);
    }
    return this.#parts;
  }

  /** Reads structural characters; returns the index of the next token, or the end of the chunk. */
  #readStructure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isSpace(byte)) continue;
      const offset = this.#bytesBefore + at;
      if (isQuote(byte) || isScalarStart(byte)) {
        if (!isQuote(byte) || !this.#isKeyExpected) this.#expectValue(offset);
        this.#start(isQuote(byte) ? 'string' : 'scalar', offset);
        return at;
      }
      if (isOpening(byte)) {
        this.#expectValue(offset);
        if (this.#node?.cut !== undefined) {
          this.#start('container', offset);
          return at;
        }
        this.#open(byte === 0x7b, offset);
      } else if (isClosing(byte)) this.#close(byte === 0x7d, offset);
      else if (byte === 0x3a && this.#expected === ':') this.#expected = 'value';
      else if (byte === 0x2c && this.#expected === ', or end') this.#next();
      else this.#reject(offset);
    }
    return chunk.length;
  }

  get #isKeyExpected(): boolean {
    return this.#expected === 'key' || this.#expected === 'key or }';
  }

  #start(kind: JsonTokenKind, offset: number): void {
    const { maxDepth, maxValueBytes } = this.#limits;
    this.#token = new JsonToken(kind, offset, { maxBytes: maxValueBytes, maxDepth: maxDepth - this.#frames.length });
  }

  #finish(token: JsonToken): void {
    this.#token = undefined;
    const isKey = this.#isKeyExpected;
    if (token.isOversize) {
      if (isKey) throw new ReportError('TOO_LARGE', 'A key of the JSON is too long.', token.offset);
      this.#emit({ value: undefined, offset: token.offset, oversizeBytes: token.size });
      return;
    }
    const { offset } = token;
    const path = this.#node?.cut;
    if (!isKey && path !== undefined && this.#unread.includes(path)) {
      this.#emit({ value: undefined, bytes: token.bytes(), offset });
      return;
    }
    const value = parseJsonPart({ path, bytes: token.bytes(), offset });
    if (isKey) this.#enterMember(String(value));
    else this.#emit({ value, offset });
  }

  #emit(part: Omit<JsonPart, 'path' | 'key'>): void {
    const path = this.#node?.cut;
    if (path !== undefined) {
      const key = path.includes('*') ? this.#key : undefined;
      this.#parts.push({ path, ...part, ...(key === undefined ? {} : { key }) });
    }
    this.#afterValue();
  }

  #enterMember(key: string): void {
    const parent = this.#frames.at(-1)?.node;
    const named = parent?.members.get(key);
    if (!named && parent?.anyMember) this.#key = key;
    this.#node = named ?? parent?.anyMember;
    this.#expected = ':';
  }

  #open(isObject: boolean, offset: number): void {
    this.#frames.push({ isObject, node: this.#node });
    if (this.#frames.length > this.#limits.maxDepth) throw nestingError(offset);
    this.#expected = isObject ? 'key or }' : 'value or ]';
    this.#node = isObject ? undefined : this.#node?.element;
  }

  #close(isObject: boolean, offset: number): void {
    const frame = this.#frames.pop();
    const canEnd = this.#expected === ', or end' || this.#expected === (isObject ? 'key or }' : 'value or ]');
    if (frame?.isObject !== isObject || !canEnd) this.#reject(offset);
    const end = frame.node?.end;
    if (end !== undefined) this.#parts.push({ path: end, value: isObject ? 'object' : 'array', offset });
    this.#afterValue();
  }

  #next(): void {
    const frame = this.#frames.at(-1);
    this.#expected = frame?.isObject ? 'key' : 'value';
    this.#node = frame?.isObject ? undefined : frame?.node?.element;
  }

  #afterValue(): void {
    if (this.#frames.length > 0) this.#expected = ', or end';
    else if (this.#isSequence) {
      this.#expected = 'value';
      this.#node = this.#root;
    } else this.#expected = 'nothing';
  }

  #expectValue(offset: number): void {
    if (this.#expected !== 'value' && this.#expected !== 'value or ]') this.#reject(offset);
  }

  #reject(offset: number): never {
    throw new ReportError('NOT_VALID', `The report is not valid JSON: ${this.#expected} was expected.`, offset);
  }
}
