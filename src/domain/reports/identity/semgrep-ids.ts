import { createHash } from 'node:crypto';
import { murmur3 } from './murmur3.ts';

/** A match for which Semgrep's ids are computed, for reports that lack them. */
export interface SemgrepMatch {
  rule: string;
  path: string;
  /** The number of equal matches before this one. */
  index: number;
}

/** 32 hex digits of rule, path, code and index. */
export function syntacticId({ rule, path, context, index }: SemgrepMatch & { context: string }): string {
  const tuple = `(${pythonRepr(rule)}, ${pythonRepr(path)}, ${pythonRepr(context)}, ${index})`;
  const { h1, h2 } = murmur3(Buffer.from(tuple));
  return h2.toString(16).padStart(16, '0') + h1.toString(16).padStart(16, '0');
}

/** 128 hex digits of the interpolated pattern, path and rule, then the index; SHA-256 in FIPS mode. */
export function matchBasedId(
  { rule, path, formula, index }: SemgrepMatch & { formula: string },
  isFips = false,
): string {
  const tuple = `(${pythonRepr(formula)}, PosixPath(${pythonRepr(path)}), ${pythonRepr(rule)})`;
  return `${createHash(isFips ? 'sha256' : 'blake2b512')
    .update(tuple)
    .digest('hex')}_${index}`;
}

export const sha256Hex = (of: string): string => createHash('sha256').update(of).digest('hex');

const NAMED_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The Python repr of a string. */
export function pythonRepr(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  let printed = '';
  for (const character of value) {
    if (character === quote) printed += `\\${quote}`;
    else if (Object.hasOwn(NAMED_ESCAPES, character)) printed += NAMED_ESCAPES[character];
    else printed += NOT_PRINTABLE.test(character) ? escaped(character) : character;
  }
  return quote + printed + quote;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

const IGNORE_COMMENT = /(?<![:#/])[:#/]+ nosem(?:grep)?(?::\s?[\w.-]+(?:\s*,\s*[\w.-]+)*)?\s*$/i;

/**
 * The code of a match in whole lines, without an ignore comment on the first line, common indentation, and surrounding
 * whitespace.
 */
export function matchedCode(lines: string): string {
  const [first = '', ...others] = lines.split('\n');
  const rows = [first.replace(IGNORE_COMMENT, '').trimEnd(), ...others];
  const indents = rows.filter((row) => row.trim() !== '').map((row) => /^[ \t]*/.exec(row)?.[0] ?? '');
  const shortest = indents.reduce((least, { length }) => Math.min(least, length), indents[0]?.length ?? 0);
  const isCommon = (column: number) => indents.every((indent) => indent[column] === indents[0]?.[column]);
  let common = 0;
  while (common < shortest && isCommon(common)) common++;
  return rows
    .map((row) => (row.trim() === '' ? '' : row.slice(common)))
    .join('\n')
    .trim();
}

const FORMULA_KEYS = [
  'join',
  'match',
  'pattern',
  'pattern-either',
  'pattern-regex',
  'patterns',
  'pattern-sinks',
  'pattern-sources',
  'postprocessor-patterns',
  'request',
  'response',
  'taint',
];

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const joined = (all: (string | undefined)[]) =>
  all.every((entry) => entry !== undefined) ? all.toSorted(byCodePoint).join(' ') : undefined;

function formulaText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(formulaText));
  if (typeof value !== 'object' || value === null) return undefined;
  return joined(Object.values(value).map(formulaText));
}

/** A rule's patterns as one text, with metavariables replaced by their values. */
export function formulaOf(
  rule: Record<string, unknown>,
  metavariables: [name: string, content: string][] = [],
): string {
  const values = FORMULA_KEYS.filter((key) => Object.hasOwn(rule, key)).map((key) => formulaText(rule[key]));
  const formula = joined(values) ?? '';
  return metavariables.reduce((filled, [name, content]) => filled.replaceAll(name, () => content), formula);
}

/** SHA-256 of a match's code, interpolated pattern, and first and last line. */
export const matchHashes = (match: { context: string; formula: string; startLine: string; endLine: string }) => ({
  code_hash: sha256Hex(match.context),
  pattern_hash: sha256Hex(match.formula),
  start_line_hash: sha256Hex(match.startLine),
  end_line_hash: sha256Hex(match.endLine),
});
