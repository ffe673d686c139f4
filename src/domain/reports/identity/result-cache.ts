import { createHash, hash } from 'node:crypto';
import type { ReportProduct } from '../report-items.ts';
import { DIGEST_BYTES, DigestTable } from './digest-table.ts';

export interface ResultCacheOptions {
  /** Digests of what was said before, one after the other; each stands for one result. */
  previousDigests?: Uint8Array;
  /** What `written` gave after an earlier reading; absent where results are not to be known by their bytes. */
  entries?: Uint8Array;
  /** All that decides how results are read besides their report; secret, because results may hold secrets. */
  salt?: string;
}

/** A result that was read before: it says again what it said then. */
export interface CachedResult {
  /** Digest of its bytes and of what they were read under. */
  key: Buffer;
  /** Digest of what it says. */
  contentDigest: Buffer;
  product: ReportProduct;
}

const PRODUCTS: readonly ReportProduct[] = ['sast', 'sca', 'secrets'];
const ENTRY_BYTES = 2 * DIGEST_BYTES + 1;
/** What is known of larger reports is not compared either. */
const MOST_ENTRIES = 250_000;
const FIRST_ENTRIES = 1000;
const SCRATCH_BYTES = 64 * 1024;

/**
 * What results said when they were read before. A result whose bytes were read before, under all that they were read
 * under then, need not be read again: this is a shortcut to what it says, and true for ever.
 */
export class ResultCache {
  readonly #known: DigestTable;
  readonly #entries: DigestTable | undefined;
  readonly #salt: string;
  #written = Buffer.alloc(0);
  #count = 0;
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES);

  constructor({ previousDigests = new Uint8Array(), entries, salt = '' }: ResultCacheOptions = {}) {
    this.#known = new DigestTable(previousDigests, DIGEST_BYTES);
    this.#entries = entries && new DigestTable(entries, ENTRY_BYTES);
    this.#salt = salt;
  }

  /** Whether results are to be named. */
  get isEnabled(): boolean {
    return this.#entries !== undefined;
  }

  /** A name for what the results of a part of the report are read under. */
  contextDigest(...facts: readonly string[]): Buffer {
    return hash('sha256', JSON.stringify([this.#salt, ...facts]), 'buffer');
  }

  /** The name of a result by its bytes. */
  keyOf(under: Buffer, bytes: Uint8Array): Buffer {
    const size = under.length + bytes.length;
    if (size > SCRATCH_BYTES)
      return createHash('sha256').update(under).update(bytes).digest().subarray(0, DIGEST_BYTES);
    this.#scratch.set(under);
    this.#scratch.set(bytes, under.length);
    return hash('sha256', this.#scratch.subarray(0, size), 'buffer').subarray(0, DIGEST_BYTES);
  }

  /** What the result of that name says, if the last scan said it too and no other result has said it since. */
  find(name: Buffer): CachedResult | undefined {
    const entry = this.#entries?.find(name);
    const product = PRODUCTS[entry?.[ENTRY_BYTES - 1] ?? PRODUCTS.length];
    if (!entry || !product) return undefined;
    const said = entry.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES);
    return this.#known.take(said) ? { key: name, contentDigest: said, product } : undefined;
  }

  /** Whether the last scan said it; each of its results counts once. */
  takeUnchanged(said: Buffer): boolean {
    return this.#known.take(said);
  }

  /** Keeps what a result said for the next reading. */
  add({ key, contentDigest, product }: CachedResult): void {
    const at = this.#count++ * ENTRY_BYTES;
    if (this.#count > MOST_ENTRIES) this.#written = Buffer.alloc(0);
    else {
      if (at === this.#written.length) this.#written = grown(this.#written);
      this.#written.set(key, at);
      this.#written.set(contentDigest, at + DIGEST_BYTES);
      this.#written[at + ENTRY_BYTES - 1] = PRODUCTS.indexOf(product);
    }
  }

  /** What the next reading is to remember; undefined where that is nothing, or too much. */
  serialize(): Uint8Array<ArrayBuffer> | undefined {
    const isUseful = this.#count > 0 && this.#count <= MOST_ENTRIES;
    return isUseful ? new Uint8Array(this.#written.subarray(0, this.#count * ENTRY_BYTES)) : undefined;
  }
}

const grown = (bytes: Buffer) => Buffer.concat([bytes], Math.max(2 * bytes.length, FIRST_ENTRIES * ENTRY_BYTES));
