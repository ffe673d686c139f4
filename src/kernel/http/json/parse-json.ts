import { isDigit, JsonCursor } from '#kernel/http/json/json-cursor.ts';
import { decodeJsonText, quoteMemberName } from '#kernel/http/json/json-decode.ts';
import { readNumber } from '#kernel/http/json/json-number.ts';
import { readString } from '#kernel/http/json/json-string.ts';

/** The limits of one body; a token is a bracket, a member name or a scalar value. */
export type JsonLimits = {
  bodyBytes: number;
  depth: number;
  membersPerObject: number;
  elementsPerArray: number;
  tokens: number;
  stringBytes: number;
  numberCharacters: number;
};

export const DEFAULT_JSON_LIMITS: Readonly<JsonLimits> = Object.freeze({
  bodyBytes: 1024 * 1024,
  depth: 64,
  membersPerObject: 10_000,
  elementsPerArray: 10_000,
  tokens: 200_000,
  stringBytes: 256 * 1024,
  numberCharacters: 64,
});

/** The limits of a larger body: everything is scaled with its size. */
export function jsonLimitsFor(bodyBytes: number): JsonLimits {
  const factor = Math.max(1, bodyBytes / DEFAULT_JSON_LIMITS.bodyBytes);
  return {
    ...DEFAULT_JSON_LIMITS,
    bodyBytes,
    elementsPerArray: DEFAULT_JSON_LIMITS.elementsPerArray * factor,
    tokens: DEFAULT_JSON_LIMITS.tokens * factor,
    stringBytes: DEFAULT_JSON_LIMITS.stringBytes * factor,
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Parses a request body as strict JSON, or throws JsonParseError. */
export function parseJson(body: Uint8Array | string, limits: Partial<JsonLimits> = {}): unknown {
  const allLimits = { ...DEFAULT_JSON_LIMITS, ...limits };
  return new Parser(decodeJsonText(body, allLimits.bodyBytes), allLimits).document();
}

class Parser {
  readonly #cursor: JsonCursor;
  readonly #limits: JsonLimits;
  #depth = 0;
  #tokens = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#cursor = new JsonCursor(text);
    this.#limits = limits;
  }

  document(): unknown {
    const value = this.#value(this.#cursor.next());
    const isAtEnd = Number.isNaN(this.#cursor.next());
    if (!isAtEnd) throw this.#cursor.errorAt('The body goes on after the end of the JSON value.');
    return value;
  }

  #value(code: number): unknown {
    this.#countToken();
    switch (code) {
      case QUOTE:
        return readString(this.#cursor, this.#limits.stringBytes);
      case OPEN_BRACE:
        return this.#object();
      case OPEN_BRACKET:
        return this.#array();
      case LOWER_T:
        return this.#literal('true', true);
      case LOWER_F:
        return this.#literal('false', false);
      case LOWER_N:
        return this.#literal('null', null);
      default:
        if (code === MINUS || isDigit(code)) return readNumber(this.#cursor, this.#limits.numberCharacters);
        throw this.#cursor.expectedError('a JSON value');
    }
  }

  #literal<T>(word: string, value: T): T {
    if (!this.#cursor.text.startsWith(word, this.#cursor.at)) throw this.#cursor.expectedError('a JSON value');
    this.#cursor.at += word.length;
    return value;
  }

  #countToken(): void {
    if (++this.#tokens > this.#limits.tokens) {
      throw this.#cursor.limitErrorAt(`The body has more than ${this.#limits.tokens} tokens.`);
    }
  }

  #enter(): void {
    if (++this.#depth > this.#limits.depth) {
      throw this.#cursor.limitErrorAt(`The body is nested deeper than ${this.#limits.depth} levels.`);
    }
    this.#cursor.at += 1;
  }

  #leave(): void {
    this.#countToken();
    this.#cursor.at += 1;
    this.#depth -= 1;
  }

  #array(): unknown[] {
    const elements: unknown[] = [];
    this.#enter();
    let code = this.#cursor.next();
    while (code !== CLOSE_BRACKET) {
      if (elements.length === this.#limits.elementsPerArray) {
        throw this.#cursor.limitErrorAt(`An array has more than ${this.#limits.elementsPerArray} elements.`);
      }
      elements.push(this.#value(code));
      code = this.#afterItem(CLOSE_BRACKET);
    }
    this.#leave();
    return elements;
  }

  #object(): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#enter();
    let code = this.#cursor.next();
    for (let count = 0; code !== CLOSE_BRACE; count += 1) {
      if (code !== QUOTE) throw this.#cursor.expectedError('a member name in double quotes');
      if (count === this.#limits.membersPerObject) {
        throw this.#cursor.limitErrorAt(`An object has more than ${this.#limits.membersPerObject} members.`);
      }
      this.#member(members);
      code = this.#afterItem(CLOSE_BRACE);
    }
    this.#leave();
    return members;
  }

  /** Returns the closing bracket, or the first character of the item after a comma. */
  #afterItem(close: number): number {
    const code = this.#cursor.next();
    if (code === close) return code;
    if (code !== COMMA) throw this.#cursor.expectedError(`',' or '${String.fromCharCode(close)}'`);
    this.#cursor.at += 1;
    const following = this.#cursor.next();
    if (following === close) throw this.#cursor.errorAt("A ',' must not stand before a closing bracket.");
    return following;
  }

  #member(members: Record<string, unknown>): void {
    this.#countToken();
    const start = this.#cursor.at;
    const name = readString(this.#cursor, this.#limits.stringBytes);
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
      throw this.#cursor.errorAt(`The member name ${quoteMemberName(name)} is not allowed.`, start);
    }
    const isOnPrototype = name in members;
    if (isOnPrototype && Object.hasOwn(members, name)) {
      throw this.#cursor.errorAt(`The member ${quoteMemberName(name)} is given twice in one object.`, start);
    }
    if (this.#cursor.next() !== COLON) throw this.#cursor.expectedError("':'");
    this.#cursor.at += 1;
    const value = this.#value(this.#cursor.next());
    // Assigning to a name such as toString throws when Object.prototype is frozen.
    if (isOnPrototype) {
      Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
    } else members[name] = value;
  }
}
