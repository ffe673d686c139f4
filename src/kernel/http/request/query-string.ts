/** Names the parameter of a query string that is invalid; the name is empty when the whole string is. */
export class QueryStringError extends Error {
  readonly parameter: string;

  constructor(parameter: string, reason: string) {
    super(reason);
    this.name = 'QueryRefused';
    this.parameter = parameter;
  }
}

type Pair = { name: string; value: string; index: number };

const MAX_BYTES = 8 * 1024;
const MAX_PARAMETERS = 1_000;
const NOT_VISIBLE_ASCII = /[^\x21-\x7e]/;
const INDEX = /^\d{0,9}$/;
const MAX_SHOWN_NAME_LENGTH = 64;

/** Parses a query string without its question mark; `x`, `x[]` and `x[0]` are the same name, with values in order. */
export function parseQueryString(raw: string): Map<string, string[]> {
  if (raw.length > MAX_BYTES) throw new QueryStringError('', `The query is longer than ${MAX_BYTES} bytes.`);
  const segments = raw.split('&').filter((segment) => segment !== '');
  if (segments.length > MAX_PARAMETERS) {
    throw new QueryStringError('', `The query has more than ${MAX_PARAMETERS} parameters.`);
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

/** Splits the values of a list parameter at commas; empty parts are dropped. */
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

/** A name without an index sorts before those with one. */
function withoutIndex(name: string): { name: string; index: number } {
  const open = name.lastIndexOf('[');
  const index = name.slice(open + 1, -1);
  if (open < 1 || !name.endsWith(']') || !INDEX.test(index)) return { name, index: -1 };
  return { name: name.slice(0, open), index: index === '' ? -1 : Number(index) };
}

function decoded(raw: string, parameter: string): string {
  const shown = parameter.slice(0, MAX_SHOWN_NAME_LENGTH).toWellFormed();
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
