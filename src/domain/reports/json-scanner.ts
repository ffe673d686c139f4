import { type JsonPlace, placesOf } from './json-paths.ts';
import { parseClean } from './parse-clean.ts';
import { ReportProblem } from './report-problem.ts';

/** A value that was cut out of a document, or the end of one. */
export interface JsonPart {
  path: string;
  value: unknown;
  /** Where it starts, or for an end, where that is. */
  offset: number;
  /** What stood for the last `*` of the path. */
  key?: string;
  /** How many bytes it has, when these are too many; then there is no value. */
  oversizeBytes?: number;
}

type Expected = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'nothing';
type Token = 'none' | 'container' | 'string' | 'scalar';

interface Frame {
  isObject: boolean;
  place: JsonPlace | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
const isScalarStart = (byte: number) =>
  byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || byte === 0x74 || byte === 0x66 || byte === 0x6e;

/** Cuts the wanted values out of a JSON document that comes in pieces, and never holds more than one of them. */
export class JsonScanner {
  readonly #limits: { maxDepth: number; maxValueBytes: number };
  readonly #frames: Frame[] = [];
  #place: JsonPlace | undefined;
  #expected: Expected = 'value';
  #key: string | undefined;
  #parts: JsonPart[] = [];
  #offset = 0;

  #token: Token = 'none';
  #tokenStart = 0;
  #pieces: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(paths: readonly string[], limits: { maxDepth: number; maxValueBytes: number }) {
    this.#limits = limits;
    this.#place = placesOf(paths);
  }

  /** What became complete with this piece. */
  push(chunk: Buffer): JsonPart[] {
    this.#parts = [];
    let at = this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (this.#token === 'none') {
        at = this.#structure(chunk, at);
        continue;
      }
      const end = this.#endOfToken(chunk, at);
      this.#keep(chunk.subarray(at, end === -1 ? chunk.length : end));
      if (end === -1) break;
      this.#finishToken();
      at = end;
    }
    this.#offset += chunk.length;
    return this.#parts;
  }

  /** Says that nothing follows. */
  finish(): JsonPart[] {
    this.#parts = [];
    if (this.#token === 'scalar' && this.#frames.length === 0) this.#finishToken();
    if (this.#token !== 'none' || this.#expected !== 'nothing') {
      throw new ReportProblem('NOT_VALID', 'The report ends before its JSON is complete.', this.#offset);
    }
    return this.#parts;
  }

  #structure(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (isSpace(byte)) continue;
      this.#tokenStart = this.#offset + at;
      if (byte === QUOTE || isScalarStart(byte)) return this.#startScalar(byte, at);
      if (isOpening(byte)) {
        this.#expectValue();
        if (this.#place?.cut === undefined) this.#open(byte === 0x7b);
        else return this.#startToken('container', at);
      } else if (isClosing(byte)) this.#close(byte === 0x7d);
      else if (byte === 0x3a && this.#expected === ':') this.#expected = 'value';
      else if (byte === 0x2c && this.#expected === ', or end') this.#next();
      else this.#refuse();
    }
    return chunk.length;
  }

  #startScalar(byte: number, at: number): number {
    const isKey = byte === QUOTE && (this.#expected === 'key' || this.#expected === 'key or }');
    if (!isKey) this.#expectValue();
    return this.#startToken(byte === QUOTE ? 'string' : 'scalar', at);
  }

  #startToken(token: Token, at: number): number {
    this.#token = token;
    this.#pieces = [];
    this.#size = 0;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    return at;
  }

  /** The index after the token's last byte, or -1 when it goes on in the next piece. */
  #endOfToken(chunk: Buffer, from: number): number {
    if (this.#token === 'scalar') {
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0;
        if (isSpace(byte) || byte === 0x2c || isClosing(byte)) return at;
      }
      return -1;
    }
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
      else if (isOpening(byte)) this.#deepen(at);
      else if (isClosing(byte) && --this.#depth === 0) return at + 1;
    }
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    return -1;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= this.#limits.maxValueBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  #finishToken(): void {
    const isKey = this.#expected === 'key' || this.#expected === 'key or }';
    this.#token = 'none';
    if (this.#size > this.#limits.maxValueBytes) {
      if (isKey) throw new ReportProblem('TOO_LARGE', 'A key of the JSON is too long.', this.#tokenStart);
      this.#emit(undefined, this.#size);
      return;
    }
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    let value: unknown;
    try {
      value = parseClean((bytes ?? Buffer.alloc(0)).toString('utf8'));
    } catch {
      const where = this.#place?.cut === undefined ? '' : ` in ${this.#place.cut}`;
      throw new ReportProblem('NOT_VALID', `What starts here${where} is not valid JSON.`, this.#tokenStart);
    }
    if (!isKey) this.#emit(value);
    else {
      this.#enterMember(String(value));
      this.#expected = ':';
    }
  }

  #emit(value: unknown, oversizeBytes?: number): void {
    const path = this.#place?.cut;
    if (path !== undefined) {
      const key = path.includes('*') ? this.#key : undefined;
      this.#parts.push({
        path,
        value,
        offset: this.#tokenStart,
        ...(key === undefined ? {} : { key }),
        ...(oversizeBytes === undefined ? {} : { oversizeBytes }),
      });
    }
    this.#expected = this.#frames.length === 0 ? 'nothing' : ', or end';
  }

  #enterMember(key: string): void {
    const parent = this.#frames.at(-1)?.place;
    const named = parent?.members.get(key);
    if (!named && parent?.anyMember) this.#key = key;
    this.#place = named ?? parent?.anyMember;
  }

  #open(isObject: boolean): void {
    this.#frames.push({ isObject, place: this.#place });
    if (this.#frames.length > this.#limits.maxDepth) this.#refuseDepth(this.#tokenStart);
    this.#expected = isObject ? 'key or }' : 'value or ]';
    this.#place = isObject ? undefined : this.#place?.element;
  }

  #close(isObject: boolean): void {
    const frame = this.#frames.pop();
    const canEnd = this.#expected === ', or end' || this.#expected === (isObject ? 'key or }' : 'value or ]');
    if (!frame || frame.isObject !== isObject || !canEnd) this.#refuse();
    const end = frame?.place?.end;
    if (end !== undefined) this.#parts.push({ path: end, value: undefined, offset: this.#tokenStart });
    this.#expected = this.#frames.length === 0 ? 'nothing' : ', or end';
  }

  #next(): void {
    const frame = this.#frames.at(-1);
    this.#expected = frame?.isObject ? 'key' : 'value';
    this.#place = frame?.isObject ? undefined : frame?.place?.element;
  }

  #expectValue(): void {
    if (this.#expected !== 'value' && this.#expected !== 'value or ]') this.#refuse();
  }

  #deepen(at: number): void {
    this.#depth++;
    if (this.#frames.length + this.#depth > this.#limits.maxDepth) this.#refuseDepth(this.#offset + at);
  }

  #refuseDepth(offset: number): never {
    throw new ReportProblem('TOO_DEEP', `The JSON nests deeper than ${this.#limits.maxDepth} levels.`, offset);
  }

  #refuse(): never {
    throw new ReportProblem(
      'NOT_VALID',
      `The report is not valid JSON: ${this.#expected} was expected.`,
      this.#tokenStart,
    );
  }
}
