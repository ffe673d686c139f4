import { createHash, hash } from 'node:crypto';
import type { CachedResult, ReportProduct } from '../report-items.ts';
import { DIGEST_BYTES, DigestTable } from './digest-table.ts';

export interface ResultCacheOptions {
  /** Concatenated content digests of the previous scan, each of one result. */
  previousDigests?: Uint8Array;
  /** What `serialize` returned after an earlier read; absent if results are not cached. */
  entries?: Uint8Array;
  /** Everything besides the report that affects how results are read; secret, because results may contain secrets. */
  salt?: string;
}

const PRODUCTS: readonly ReportProduct[] = ['sast', 'sca', 'secrets'];
const ENTRY_BYTES = 2 * DIGEST_BYTES + 1;
/** Larger reports are not compared either. */
const MAX_ENTRIES = 250_000;
const INITIAL_ENTRIES = 1000;
const SCRATCH_BYTES = 64 * 1024;

/**
 * Content digests by the bytes of results. A result with the same bytes in the same context has the same content, so
 * that it need not be parsed again; entries never become invalid.
 */
export class ResultCache {
  readonly #previous: DigestTable;
  readonly #cached: DigestTable | undefined;
  readonly #salt: string;
  #buffer = Buffer.alloc(0);
  #size = 0;
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES);

  constructor({ previousDigests = new Uint8Array(), entries, salt = '' }: ResultCacheOptions = {}) {
    this.#previous = new DigestTable(previousDigests, DIGEST_BYTES);
    this.#cached = entries && new DigestTable(entries, ENTRY_BYTES);
    this.#salt = salt;
  }

  /** Whether results are cached. */
  get isEnabled(): boolean {
    return this.#cached !== undefined;
  }

  /** Digest of the context that results are read in. */
  contextDigest(...facts: readonly string[]): Buffer {
    return hash('sha256', JSON.stringify([this.#salt, ...facts]), 'buffer');
  }

  /** The cache key of a result. */
  keyOf(context: Buffer, bytes: Uint8Array): Buffer {
    const size = context.length + bytes.length;
    if (size > SCRATCH_BYTES)
      return createHash('sha256').update(context).update(bytes).digest().subarray(0, DIGEST_BYTES);
    this.#scratch.set(context);
    this.#scratch.set(bytes, context.length);
    return hash('sha256', this.#scratch.subarray(0, size), 'buffer').subarray(0, DIGEST_BYTES);
  }

  /** The cached result, if the previous scan contained it and no other result has taken it. */
  find(key: Buffer): CachedResult | undefined {
    const entry = this.#cached?.find(key);
    const product = PRODUCTS[entry?.[ENTRY_BYTES - 1] ?? PRODUCTS.length];
    if (!entry || !product) return undefined;
    const contentDigest = entry.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES);
    return this.#previous.take(contentDigest) ? { key, contentDigest, product } : undefined;
  }

  /** True if the previous scan contained the result; each of its results is taken once. */
  takeUnchanged(contentDigest: Buffer): boolean {
    return this.#previous.take(contentDigest);
  }

  /** Stores a result for the next scan. */
  add({ key, contentDigest, product }: CachedResult): void {
    const at = this.#size++ * ENTRY_BYTES;
    if (this.#size > MAX_ENTRIES) this.#buffer = Buffer.alloc(0);
    else {
      if (at === this.#buffer.length) this.#buffer = enlarge(this.#buffer);
      this.#buffer.set(key, at);
      this.#buffer.set(contentDigest, at + DIGEST_BYTES);
      this.#buffer[at + ENTRY_BYTES - 1] = PRODUCTS.indexOf(product);
    }
  }

  /** The entries for the next scan; undefined if there are none or too many. */
  serialize(): Uint8Array<ArrayBuffer> | undefined {
    const isUseful = this.#size > 0 && this.#size <= MAX_ENTRIES;
    return isUseful ? new Uint8Array(this.#buffer.subarray(0, this.#size * ENTRY_BYTES)) : undefined;
  }
}

const enlarge = (bytes: Buffer) => Buffer.concat([bytes], Math.max(2 * bytes.length, INITIAL_ENTRIES * ENTRY_BYTES));
