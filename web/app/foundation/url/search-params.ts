/** How one member of the address is read: what it cannot be is `undefined`. */
export type ParamReader<Value> = (given: unknown) => Value | undefined;

const LONGEST = 4000;

export const textParam: ParamReader<string> = (given) => {
  const value = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST ? value : undefined;
};

/** Ids have 64 bits, so they stay text; the router may have read a short one as a number. */
export const idParam: ParamReader<string> = (given) => {
  const value = textParam(given);
  return value !== undefined && /^\d{1,19}$/.test(value) ? value : undefined;
};

export const enumParam =
  <const Word extends string>(words: readonly Word[]): ParamReader<Word> =>
  (given) =>
    words.find((word) => word === given);

export const flagParam: ParamReader<true> = (given) =>
  given === true || given === 'true' || given === 1 ? true : undefined;

type Values<Readers> = { [Name in keyof Readers]?: Readers[Name] extends ParamReader<infer Value> ? Value : never };

/** Names of members that were in the address and could not be used; the page says so once. */
const dropped = new Set<string>();

export function takeIgnoredParams(): string[] {
  const names = [...dropped];
  dropped.clear();
  return names;
}

/** Reads the search of a route: the address is the only place where a view is kept. */
export function searchParser<Readers extends Record<string, ParamReader<unknown>>>(readers: Readers) {
  return (given: Record<string, unknown>): Values<Readers> => {
    const values: Record<string, unknown> = {};
    for (const [name, raw] of Object.entries(given)) {
      if (raw === undefined || raw === '') continue;
      const value = readers[name]?.(raw);
      if (value === undefined) dropped.add(name);
      else values[name] = value;
    }
    return values as Values<Readers>;
  };
}

/** Plain text instead of JSON in the address, so that people can read and write it. */
export function parseSearch(search: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(search));
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
