import { createHash, hash } from 'node:crypto';
import type { ReportProduct } from '../report-items.ts';
import { DIGEST_BYTES, DigestTable } from './digest-table.ts';

export interface ResultCacheOptions {
  /** Concatenated content digests of the previous scan, each of one result. */
  previousDigests?: Uint8Array;
  /** What `serialize` returned after an earlier read; absent if results are not cached. */
  entries?: Uint8Array;
  /** Everything besides the report that affects how results are read; secret, because results may contain secrets. */
  salt?: string;
}

/** A result that was read before, and its content digest. */
export interface CachedResult {
  /** Digest of its bytes and of the context they were read in. */
  key: Buffer;
  /** Digest of its content columns. */
  contentDigest: Buffer;
  product: ReportProduct;
}

const PRODUCTS: readonly ReportProduct[] = ['sast', 'sca', 'secrets'];
const ENTRY_BYTES = 2 * DIGEST_BYTES + 1;
/** Larger reports are not compared either. */
const MOST_ENTRIES = 250_000;
const FIRST_ENTRIES = 1000;
const SCRATCH_BYTES = 64 * 1024;

/**
 * Content digests by the bytes of results. A result with the same bytes in the same context has the same content, so
 * that it need not be parsed again; entries never become invalid.
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

  /** Whether results are cached. */
  get isEnabled(): boolean {
    return this.#entries !== undefined;
  }

  /** Digest of the context that results are read in. */
  contextDigest(...facts: readonly string[]): Buffer {
    return hash('sha256', JSON.stringify([this.#salt, ...facts]), 'buffer');
  }

  /** The cache key of a result. */
  keyOf(under: Buffer, bytes: Uint8Array): Buffer {
    const size = under.length + bytes.length;
    if (size > SCRATCH_BYTES)
      return createHash('sha256').update(under).update(bytes).digest().subarray(0, DIGEST_BYTES);
    this.#scratch.set(under);
    this.#scratch.set(bytes, under.length);
    return hash('sha256', this.#scratch.subarray(0, size), 'buffer').subarray(0, DIGEST_BYTES);
  }

  /** The cached result, if the previous scan contained it and no other result has taken it. */
  find(name: Buffer): CachedResult | undefined {
    const entry = this.#entries?.find(name);
    const product = PRODUCTS[entry?.[ENTRY_BYTES - 1] ?? PRODUCTS.length];
    if (!entry || !product) return undefined;
    const said = entry.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES);
    return this.#known.take(said) ? { key: name, contentDigest: said, product } : undefined;
  }

  /** True if the previous scan contained the result; each of its results is taken once. */
  takeUnchanged(said: Buffer): boolean {
    return this.#known.take(said);
  }

  /** Stores a result for the next scan. */
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

  /** The entries for the next scan; undefined if there are none or too many. */
  serialize(): Uint8Array<ArrayBuffer> | undefined {
    const isUseful = this.#count > 0 && this.#count <= MOST_ENTRIES;
    return isUseful ? new Uint8Array(this.#written.subarray(0, this.#count * ENTRY_BYTES)) : undefined;
  }
}

const grown = (bytes: Buffer) => Buffer.concat([bytes], Math.max(2 * bytes.length, FIRST_ENTRIES * ENTRY_BYTES));
