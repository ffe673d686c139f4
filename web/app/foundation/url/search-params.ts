/** Reads one search parameter; invalid values become `undefined`. */
export type ParamReader<Value> = (raw: unknown) => Value | undefined;

const MAX_LENGTH = 4000;

export const textParam: ParamReader<string> = (raw) => {
  const value = typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw;
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_LENGTH ? value : undefined;
};

/** Ids have 64 bits, so they stay strings; the router may have parsed a short one as a number. */
export const idParam: ParamReader<string> = (raw) => {
  const value = textParam(raw);
  return value !== undefined && /^\d{1,19}$/.test(value) ? value : undefined;
};

export const enumParam =
  <const Word extends string>(words: readonly Word[]): ParamReader<Word> =>
  (raw) =>
    words.find((word) => word === raw);

export const flagParam: ParamReader<true> = (raw) => (raw === true || raw === 'true' || raw === 1 ? true : undefined);

type Values<Readers> = { [Name in keyof Readers]?: Readers[Name] extends ParamReader<infer Value> ? Value : never };

/** Names of search parameters that were unknown or invalid; the page reports them once. */
const ignored = new Set<string>();

export function takeIgnoredParams(): string[] {
  const names = [...ignored];
  ignored.clear();
  return names;
}

/** The router copies parameters in a way that this name would change the prototype of. */
const UNSAFE_NAME = '__proto__';

/** The query of an address without some parameters. */
export const searchWithout = (search: string, names: readonly string[]): string =>
  stringifySearch(Object.fromEntries(Object.entries(parseSearch(search)).filter(([name]) => !names.includes(name))));

/** Creates the search parser of a route. The state of a view is kept only in the URL. */
export function searchParser<Readers extends Record<string, ParamReader<unknown>>>(readers: Readers) {
  return (search: Record<string, unknown>): Values<Readers> => {
    const values: Record<string, unknown> = {};
    for (const [name, raw] of Object.entries(search)) {
      if (raw === undefined || raw === '') continue;
      // `constructor` and the like are not parameters.
      const value = Object.hasOwn(readers, name) ? readers[name]?.(raw) : undefined;
      if (value === undefined) ignored.add(name);
      // The router adds the result to the raw parameters, so an ignored one must be overwritten.
      values[name] = value;
    }
    return values as Values<Readers>;
  };
}

/** Plain text instead of JSON, so that people can read and edit the URL. */
export function parseSearch(search: string): Record<string, unknown> {
  const pairs = [...new URLSearchParams(search)].filter(([name]) => name !== UNSAFE_NAME || void ignored.add(name));
  return Object.fromEntries(pairs);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const name of Object.keys(search).sort()) {
    const value = search[name];
    if (value !== undefined && value !== '' && value !== false) pairs.append(name, String(value));
  }
  const written = pairs.toString().replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/');
  return written === '' ? '' : `?${written}`;
}
