import type { ReportedFinding } from '../report-items.ts';

const MASK = '********';
const MIN_SHOWN_LENGTH = 16;
const MAX_PARTS = 500;

/** A secret for display: at most its first 4 and last 2 characters, and never its length. */
export function maskValue(value: string): string {
  const characters = [...value];
  if (characters.length < MIN_SHOWN_LENGTH) return MASK;
  return characters.slice(0, 4).join('') + MASK + characters.slice(-2).join('');
}

const SECRET_LIKE_IN_CODE = /[^\s'"`<>()[\]{},;]{8,}/g;
const SECRET_LIKE_IN_MESSAGE = /[\w+/=.~-]{16,}/g;

/** Masks the secret in a message; if the value is unknown, masks everything that could be a secret. */
export const maskMessage = (message: string, value: string | undefined): string =>
  value === undefined ? maskSuspects(message) : maskOccurrences(message, value);

/**
 * Masks the secret in code, and anything that could be another one; if the value does not occur, masks everything that
 * could be it.
 */
export function maskCode(code: string, value: string | undefined): string {
  const known = maskOccurrences(code, value);
  return known === code ? code.replace(SECRET_LIKE_IN_CODE, maskValue) : maskSuspects(known);
}

const maskSuspects = (from: string) =>
  from.replace(SECRET_LIKE_IN_MESSAGE, (word) => (/\d/.test(word) ? maskValue(word) : word));

function maskOccurrences(from: string, value: string | undefined): string {
  if (value === undefined || value === '') return from;
  // A multi-line key may be shown with a different indentation.
  const lines = value.split('\n').map((line) => line.trim());
  const parts = [value, ...lines.filter((line) => line.length >= 8)];
  if (parts.length > MAX_PARTS) return from.includes(value) ? from.replaceAll(value, MASK) : MASK;
  return parts.reduce((rest, part) => rest.replaceAll(part, () => maskValue(part)), from);
}

/** The matched text, given whole source lines and the columns of the match in the first and last one. */
export function matchIn(lines: string, column: number, endColumn: number): string | undefined {
  if (column === 0 || endColumn === 0) return undefined;
  const rows = lines.split('\n');
  const last = rows.length - 1;
  const cut = rows.map((row, index) =>
    row.slice(index === 0 ? column - 1 : 0, index === last ? endColumn - 1 : undefined),
  );
  return unquoted(cut.join('\n'));
}

/** The value of a literal, without its quotes. */
export function unquoted(literal: string): string | undefined {
  const value = literal.replace(/^(['"`])(.*)\1$/s, '$2');
  return value === '' ? undefined : value;
}

/** A finding about a secret, with the value only in `secret.value`. */
export function withoutSecret(finding: ReportedFinding): ReportedFinding {
  if (finding.product !== 'secrets') return finding;
  // An unkeyed digest of a short secret can be brute-forced.
  const { code, context, fix: _fix, trace: _trace, codeDigest: _codeDigest, ...rest } = finding;
  const value = finding.secret?.value;
  return {
    ...rest,
    message: maskMessage(finding.message, value),
    ...(code === undefined ? {} : { code: maskCode(code, value) }),
    ...(context === undefined ? {} : { context: maskCode(context, value) }),
  };
}
