/** Says why and where a JSON body is invalid, in words that may be shown to the caller. */
export class JsonParseError extends Error {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
  readonly isTooLarge: boolean;

  constructor(details: { reason: string; line: number; column: number; isTooLarge: boolean }) {
    super(`${details.reason} (line ${details.line}, column ${details.column})`);
    this.name = 'JsonRefused';
    this.reason = details.reason;
    this.line = details.line;
    this.column = details.column;
    this.isTooLarge = details.isTooLarge;
  }
}

/** Builds the error for an offset in UTF-16 units; line and column count from 1. */
export function jsonErrorAt(text: string, offset: number, reason: string, isTooLarge = false): JsonParseError {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) === 0x0a) {
      line += 1;
      lineStart = at + 1;
    }
  }
  return new JsonParseError({ reason, line, column: offset - lineStart + 1, isTooLarge });
}
