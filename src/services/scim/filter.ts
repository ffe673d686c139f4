/** The filter grammar of RFC 7644, section 3.4.2.2, on resources as they are sent. */

const MAX_LENGTH = 2000;
const MAX_DEPTH = 20;
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
type Comparator = (typeof OPERATORS)[number];
type Scalar = string | number | boolean | null;

export type ScimFilter =
  | { kind: 'or' | 'and'; parts: ScimFilter[] }
  | { kind: 'not'; part: ScimFilter }
  | { kind: 'present'; path: string }
  | { kind: 'compare'; path: string; operator: Comparator; value: Scalar }
  | { kind: 'values'; path: string; part: ScimFilter };

/** A filter or path that cannot be read; the message completes a sentence. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|(-?\d+(?:\.\d+)?(?![\w.:-]))|([A-Za-z$][\w$.:-]*))/y;
const PATH = /^[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)?$/;

/** An attribute path without the URN of its schema. */
export function attributePath(text: string): string {
  const bare = text.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '');
  if (!PATH.test(bare)) throw new FilterError(`${JSON.stringify(text.slice(0, 100))} is not an attribute path`);
  return bare;
}

class Parser {
  readonly #tokens: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    if (text.length > MAX_LENGTH) throw new FilterError(`a filter has at most ${MAX_LENGTH} characters`);
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const start = TOKEN.lastIndex;
      const match = TOKEN.exec(text);
      if (!match) throw new FilterError(`the filter cannot be read at character ${start + 1}`);
      this.#tokens.push(match[0].trimStart());
    }
  }

  parse(): ScimFilter {
    const filter = this.#or();
    if (this.#at < this.#tokens.length) throw new FilterError(`${this.#peek()} is unexpected`);
    return filter;
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? 'the end of the filter';
  }

  #takesWord(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false;
    this.#at++;
    return true;
  }

  #or(): ScimFilter {
    if (++this.#depth > MAX_DEPTH) throw new FilterError('the filter is nested too deeply');
    const parts = [this.#and()];
    while (this.#takesWord('or')) parts.push(this.#and());
    this.#depth--;
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts };
  }

  #and(): ScimFilter {
    const parts = [this.#single()];
    while (this.#takesWord('and')) parts.push(this.#single());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
  }

  #single(): ScimFilter {
    if (this.#takesWord('not')) {
      if (this.#peek() !== '(') throw new FilterError('not needs parentheses');
      return { kind: 'not', part: this.#single() };
    }
    if (this.#takesWord('(')) return this.#closing(')');
    const path = attributePath(this.#tokens[this.#at++] ?? '');
    if (this.#takesWord('[')) return { kind: 'values', path, part: this.#closing(']') };
    if (this.#takesWord('pr')) return { kind: 'present', path };
    const operator = OPERATORS.find((name) => this.#takesWord(name));
    if (!operator) throw new FilterError(`${this.#peek()} is not an operator`);
    return { kind: 'compare', path, operator, value: this.#value() };
  }

  #closing(bracket: string): ScimFilter {
    const inner = this.#or();
    if (!this.#takesWord(bracket)) throw new FilterError(`${bracket} is missing`);
    return inner;
  }

  #value(): Scalar {
    const token = this.#tokens[this.#at++] ?? '';
    try {
      // Some identity providers write True and False.
      const text = /^(true|false|null)$/i.test(token) ? token.toLowerCase() : token;
      return JSON.parse(text) as Scalar;
    } catch {
      throw new FilterError(`${token || 'the end of the filter'} is not a value`);
    }
  }
}

export const parseFilter = (text: string): ScimFilter => new Parser(text).parse();

export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member with this name; names of attributes are compared without case. */
export function memberOf(resource: unknown, name: string): unknown {
  if (!isObject(resource)) return undefined;
  const key = Object.keys(resource).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : resource[key];
}

function valuesAt(resource: unknown, path: string): unknown[] {
  const [name = '', sub] = path.split('.');
  const found = memberOf(resource, name);
  const values = Array.isArray(found) ? found : found === undefined ? [] : [found];
  if (sub !== undefined) return values.map((value) => memberOf(value, sub));
  return values.map((value) => (isObject(value) ? (memberOf(value, 'value') ?? value) : value));
}

const CASE_EXACT = /^(id|externalId|value|.*\.value|.*\$ref)$/;

function comparable(value: unknown, isExact: boolean): unknown {
  if (typeof value !== 'string') return value;
  if (/^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))) return Date.parse(value);
  return isExact ? value : value.toLowerCase();
}

function compares(actual: unknown, operator: Comparator, expected: unknown): boolean {
  if (operator === 'eq') return actual === expected;
  if (operator === 'ne') return actual !== expected;
  if (typeof actual !== typeof expected || actual === null || typeof actual === 'boolean') return false;
  const [left, right] = [actual as string, expected as string];
  switch (operator) {
    case 'co':
      return String(left).includes(String(right));
    case 'sw':
      return String(left).startsWith(String(right));
    case 'ew':
      return String(left).endsWith(String(right));
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

const isPresent = (value: unknown) => value !== undefined && value !== null && value !== '';

/** True if the resource, or the value of a multi-valued attribute, meets the filter. */
export function matches(filter: ScimFilter, resource: unknown): boolean {
  switch (filter.kind) {
    case 'or':
      return filter.parts.some((part) => matches(part, resource));
    case 'and':
      return filter.parts.every((part) => matches(part, resource));
    case 'not':
      return !matches(filter.part, resource);
    case 'present':
      return valuesAt(resource, filter.path).some(isPresent);
    case 'values': {
      const found = memberOf(resource, filter.path);
      return (Array.isArray(found) ? found : [found]).some((value) => matches(filter.part, value));
    }
    case 'compare': {
      const isExact = CASE_EXACT.test(filter.path) && !filter.path.startsWith('emails');
      const expected = comparable(filter.value, isExact);
      const values = valuesAt(resource, filter.path).map((value) => comparable(value, isExact));
      if (filter.operator === 'ne') return values.every((value) => compares(value, 'ne', expected));
      return (values.length === 0 ? [null] : values).some((value) =>
        compares(value ?? null, filter.operator, expected),
      );
    }
  }
}

/** The value that an attribute must equal for the filter to hold, so that the database can find the resource. */
export function equalTo(filter: ScimFilter | undefined, path: string): string | undefined {
  if (filter?.kind === 'and')
    return filter.parts.map((part) => equalTo(part, path)).find((value) => value !== undefined);
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  return filter.path.toLowerCase() === path.toLowerCase() ? filter.value : undefined;
}

/** What the database can find by itself; the filter is applied to what it finds. */
export const knownValues = (filter: ScimFilter | undefined) => ({
  id: equalTo(filter, 'id'),
  userName: equalTo(filter, 'userName'),
  displayName: equalTo(filter, 'displayName'),
  externalId: equalTo(filter, 'externalId'),
});
export type KnownValues = ReturnType<typeof knownValues>;
