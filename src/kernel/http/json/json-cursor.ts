import { type JsonParseError, jsonErrorAt } from '#kernel/http/json/json-error.ts';

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The position in the text of a body, shared by the parsers of its parts. */
export class JsonCursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The code of the next character that is not white space; NaN at the end. */
  next(): number {
    const text = this.text;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
    this.at = at;
    return code;
  }

  errorAt(reason: string, offset = this.at): JsonParseError {
    return jsonErrorAt(this.text, offset, reason);
  }

  limitErrorAt(reason: string, offset = this.at): JsonParseError {
    return jsonErrorAt(this.text, offset, reason, true);
  }

  expectedError(expected: string): JsonParseError {
    return this.errorAt(
      this.at < this.text.length ? `Expected ${expected}.` : `Expected ${expected}, but the body ends here.`,
    );
  }
}
