/** Says which parameter of a query string could not be read; the name is empty when the whole string is refused. */
export class QueryStringError extends Error {
  readonly parameter: string;

  constructor(parameter: string, reason: string) {
    super(reason);
    this.name = 'QueryRefused';
    this.parameter = parameter;
  }
}

type Pair = { name: string; value: string; index: number };

const MAXIMUM_BYTES = 8 * 1024;
const MAXIMUM_PAIRS = 1_000;
const NOT_VISIBLE_ASCII = /[^\x21-\x7e]/;
const INDEX = /^\d{0,9}$/;
const LONGEST_NAME_SHOWN = 64;

/** Reads a raw query string without its question mark; `x`, `x[]` and `x[0]` are one name, values in their order. */
export function parseQueryString(raw: string): Map<string, string[]> {
  if (raw.length > MAXIMUM_BYTES) throw new QueryStringError('', `The query is longer than ${MAXIMUM_BYTES} bytes.`);
  const segments = raw.split('&').filter((segment) => segment !== '');
  if (segments.length > MAXIMUM_PAIRS) {
    throw new QueryStringError('', `The query has more than ${MAXIMUM_PAIRS} parameters.`);
  }
  const pairs = segments.map(pairOf).sort((a, b) => a.index - b.index);
  const query = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** Reads the values of a list parameter, which may also be joined by commas; empty parts are dropped. */
export function splitList(values: string[]): string[] {
  return values.flatMap((value) => value.split(',')).filter((part) => part !== '');
}

function pairOf(segment: string): Pair {
  const equals = segment.indexOf('=');
  const rawName = equals === -1 ? segment : segment.slice(0, equals);
  const rawValue = equals === -1 ? '' : segment.slice(equals + 1);
  const name = decoded(rawName, rawName);
  return { ...withoutIndex(name), value: decoded(rawValue, name) };
}

/** A name without an index sorts before all that have one. */
function withoutIndex(name: string): { name: string; index: number } {
  const open = name.lastIndexOf('[');
  const index = name.slice(open + 1, -1);
  if (open < 1 || !name.endsWith(']') || !INDEX.test(index)) return { name, index: -1 };
  return { name: name.slice(0, open), index: index === '' ? -1 : Number(index) };
}

function decoded(raw: string, parameter: string): string {
  const shown = parameter.slice(0, LONGEST_NAME_SHOWN).toWellFormed();
  if (NOT_VISIBLE_ASCII.test(raw))
    throw new QueryStringError(shown, 'The parameter has a character that must be escaped.');
  const text = unescaped(raw.replaceAll('+', ' '));
  if (text === undefined) throw new QueryStringError(shown, 'The parameter is not percent-encoded UTF-8.');
  if (text.includes('\0')) throw new QueryStringError(shown, 'The parameter must not contain the NUL character.');
  return text;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
