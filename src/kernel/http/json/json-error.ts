/** Says why and where a JSON body was refused, in words that may be shown to the caller. */
export class JsonParseError extends Error {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
  readonly isTooLarge: boolean;

  constructor(refusal: { reason: string; line: number; column: number; isTooLarge: boolean }) {
    super(`${refusal.reason} (line ${refusal.line}, column ${refusal.column})`);
    this.name = 'JsonRefused';
    this.reason = refusal.reason;
    this.line = refusal.line;
    this.column = refusal.column;
    this.isTooLarge = refusal.isTooLarge;
  }
}

/** Builds the refusal for an offset in UTF-16 units; line and column count from 1. */
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
