export const DIGEST_BYTES = 16;

const EMPTY = 0;
const REMOVED = -1;

/**
 * A hash table of fixed-size rows that start with a digest, over the bytes they came in: a set of strings would take
 * several times the memory.
 */
export class DigestTable {
  readonly #rows: Buffer;
  readonly #rowBytes: number;
  /** Row numbers from 1, with linear probing. */
  readonly #slots: Int32Array;

  constructor(rows: Uint8Array, rowBytes: number) {
    this.#rows = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
    this.#rowBytes = rowBytes;
    const count = Math.floor(rows.length / rowBytes);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
    for (let number = 1; number <= count; number++) this.#slots[this.#slotOf(this.#row(number))] = number;
  }

  /** The row with a digest. */
  find(digest: Buffer): Buffer | undefined {
    const number = this.#slots[this.#slotOf(digest)] ?? EMPTY;
    return number === EMPTY ? undefined : this.#row(number);
  }

  /** Removes the row with a digest; false if there is none. */
  take(digest: Buffer): boolean {
    const slot = this.#slotOf(digest);
    if (this.#slots[slot] === EMPTY) return false;
    this.#slots[slot] = REMOVED;
    return true;
  }

  #row(number: number): Buffer {
    const start = (number - 1) * this.#rowBytes;
    return this.#rows.subarray(start, start + this.#rowBytes);
  }

  /** The slot of a digest, or the free slot where it belongs. */
  #slotOf(digest: Buffer): number {
    const last = this.#slots.length - 1;
    for (let slot = digest.readUInt32LE() & last; ; slot = (slot + 1) & last) {
      const number = this.#slots[slot] ?? EMPTY;
      if (number === EMPTY) return slot;
      if (number === REMOVED) continue;
      const start = (number - 1) * this.#rowBytes;
      if (digest.compare(this.#rows, start, start + DIGEST_BYTES, 0, DIGEST_BYTES) === 0) return slot;
    }
  }
}
