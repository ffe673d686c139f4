/** How versions of one ecosystem are ordered: a text that is no version of it has no place in the order. */
export interface VersionOrder {
  /** Negative, zero or positive; undefined when one of the two is no version. */
  compare(one: string, other: string): number | undefined;
  /** What the text is, ready to be compared many times; undefined when it is no version. */
  comparatorFor(text: string): ((other: string) => number | undefined) | undefined;
}

/** Versions longer than this are somebody's mistake, or an attack. */
const LONGEST = 256;

export function createVersionOrder<Key>(
  parse: (text: string) => Key | undefined,
  compare: (one: Key, other: Key) => number,
): VersionOrder {
  const read = (text: string) => (text.length > LONGEST ? undefined : parse(text.trim()));
  const placeOf: VersionOrder['comparatorFor'] = (text) => {
    const own = read(text);
    if (own === undefined) return undefined;
    return (other) => {
      const key = read(other);
      return key === undefined ? undefined : compare(own, key);
    };
  };
  return { comparatorFor: placeOf, compare: (one, other) => placeOf(one)?.(other) };
}

export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Digits of any length as numbers: longer ones are larger once leading zeros are gone. */
export function compareDigits(one: string, other: string): number {
  const [a, b] = [one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, '')];
  return a.length - b.length || compareTexts(a, b);
}

export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Item by item; a list that ends is filled up with what stands for nothing. */
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
