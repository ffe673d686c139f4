import { createHash } from 'node:crypto';

/** A seeded random number generator (sfc32): the same numbers for the same seed on every machine. */
export class SeededRandom {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    const digest = createHash('sha256').update(seed).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
    for (let round = 0; round < 12; round++) this.share();
  }

  /** An independent generator, whatever this one has already produced. */
  fork(name: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${name}`);
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  share(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.share() * (high - low);
  }

  /** An integer from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.share() * (high - low + 1));
  }

  happens(probability: number): boolean {
    return this.share() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.share() * items.length)];
    if (item === undefined) throw new Error('There are no items to pick from.');
    return item;
  }

  /** Picks items with a greater weight more often. */
  pickWeighted<Item extends { weight: number }>(items: readonly Item[]): Item {
    let rest = this.share() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    return this.pick(items);
  }

  /** The items in random order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, order: this.share() }))
      .sort((left, right) => left.order - right.order)
      .map(({ item }) => item);
  }
}

/** Hex digits derived from a text, in the form of commit hashes and fingerprints. */
export const hexDigest = (text: string, digits: number): string =>
  createHash('sha512').update(text).digest('hex').slice(0, digits);
