export const DIGEST_BYTES = 16;

const FREE = 0;
const TAKEN = -1;

/**
 * A hash table of fixed-size rows that start with a digest, over the bytes they came in: a set of strings would take
 * several times the memory.
 */
export class DigestTable {
  readonly #rows: Buffer;
  readonly #rowBytes: number;
  /** Row numbers from 1, with linear probing. */
  readonly #places: Int32Array;

  constructor(rows: Uint8Array, rowBytes: number) {
    this.#rows = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    this.#rowBytes = rowBytes;
    const count = Math.floor(rows.length / rowBytes);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
    for (let number = 1; number <= count; number++) this.#places[this.#placeOf(this.#row(number))] = number;
  }

  /** The row with a digest. */
  find(digest: Buffer): Buffer | undefined {
    const number = this.#places[this.#placeOf(digest)] ?? FREE;
    return number === FREE ? undefined : this.#row(number);
  }

  /** Removes the row with a digest; false if there is none. */
  take(digest: Buffer): boolean {
    const place = this.#placeOf(digest);
    if (this.#places[place] === FREE) return false;
    this.#places[place] = TAKEN;
    return true;
  }

  #row(number: number): Buffer {
    const start = (number - 1) * this.#rowBytes;
    return this.#rows.subarray(start, start + this.#rowBytes);
  }

  /** The slot of a digest, or the free slot where it belongs. */
  #placeOf(digest: Buffer): number {
    const last = this.#places.length - 1;
    for (let place = digest.readUInt32LE() & last; ; place = (place + 1) & last) {
      const number = this.#places[place] ?? FREE;
      if (number === FREE) return place;
      if (number === TAKEN) continue;
      const start = (number - 1) * this.#rowBytes;
      if (digest.compare(this.#rows, start, start + DIGEST_BYTES, 0, DIGEST_BYTES) === 0) return place;
    }
  }
}
