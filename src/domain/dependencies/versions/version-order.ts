/** The version order of one ecosystem. Texts that are not versions of it cannot be compared. */
export interface VersionOrder {
  /** Negative, zero or positive; undefined if one of them is not a version. */
  compare(left: string, right: string): number | undefined;
  /** Parses a version once, to compare it with many others; undefined if it is not a version. */
  comparatorFor(text: string): ((other: string) => number | undefined) | undefined;
}

/** Longer texts are mistakes or attacks. */
const MAX_VERSION_LENGTH = 256;

export function createVersionOrder<Key>(
  parse: (text: string) => Key | undefined,
  compare: (one: Key, other: Key) => number,
): VersionOrder {
  const read = (text: string) => (text.length > MAX_VERSION_LENGTH ? undefined : parse(text.trim()));
  const placeOf: VersionOrder['comparatorFor'] = (text) => {
    const key = read(text);
    if (key === undefined) return undefined;
    return (other) => {
      const otherKey = read(other);
      return otherKey === undefined ? undefined : compare(key, otherKey);
    };
  };
  return { comparatorFor: placeOf, compare: (one, other) => placeOf(one)?.(other) };
}

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Compares digits of any length as numbers: without leading zeros, the longer one is larger. */
export function compareDigits(one: string, other: string): number {
  const [a, b] = [one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, '')];
  return a.length - b.length || compareTexts(a, b);
}

export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Compares item by item; the shorter list is padded with `fill`. */
export function compareLists<Item>(
  one: readonly Item[],
  other: readonly Item[],
  { fill, compare }: { fill: Item; compare: (one: Item, other: Item) => number },
): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const order = compare(one[index] ?? fill, other[index] ?? fill);
    if (order !== 0) return order;
  }
  return 0;
}
