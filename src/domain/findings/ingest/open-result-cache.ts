import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ReadOptions } from '#domain/reports/formats/read-report.ts';
import { ResultCache } from '#domain/reports/identity/result-cache.ts';
import type { StagerOptions } from './stager.ts';

/** Serialized state of a result cache. */
export interface ResultCacheState {
  /** Content digests of the previous scan; see `ResultCacheOptions`. */
  previousDigests?: Uint8Array;
  /** Cached results by the digest of their bytes; absent if caching is disabled. */
  entries?: Uint8Array;
  /** Version of the parser code. */
  parserVersion: string;
}

/** A cache of results that were read by the same code with the same options. */
export function openResultCache(
  { previousDigests, entries, parserVersion }: ResultCacheState,
  { reading, staging }: { reading: ReadOptions; staging: StagerOptions },
): ResultCache {
  const { key, deployment } = staging.secrets;
  const options = JSON.stringify(['result-cache@1', parserVersion, deployment, staging.ignores, reading]);
  const salt = createHmac('sha256', key).update(options).digest('hex');
  return new ResultCache({ salt, ...(previousDigests && { previousDigests }), ...(entries && { entries }) });
}

/** The folders whose code determines how results are read. */
const SOURCE_FOLDERS = ['../../reports/', '../../ignores/', '../'].map((path) => new URL(path, import.meta.url));

async function digestOfSources(): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of SOURCE_FOLDERS) {
    const names = await readdir(folder, { recursive: true });
    const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();
    for (const name of sources) digest.update(`${name}\0`).update(await readFile(new URL(name, folder)));
  }
  return digest.digest('hex');
}

let version: Promise<string> | undefined;

/** Digest of the parser's source code: results of another version are not reused. */
export function parserVersion(): Promise<string> {
  version ??= digestOfSources();
  return version;
}
