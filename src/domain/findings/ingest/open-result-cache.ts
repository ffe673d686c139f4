import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ReadOptions } from '#domain/reports/formats/read-report.ts';
import { ResultCache } from '#domain/reports/identity/result-cache.ts';
import type { StagerOptions } from './stager.ts';

/** What an earlier report left to be remembered. */
export interface ResultCacheState {
  /** Digests of what was said before; see `MemoryOptions`. */
  previousDigests?: Uint8Array;
  /** What its results said, by their bytes; absent where nobody is to remember. */
  entries?: Uint8Array;
  /** Names the code that reads reports. */
  parserVersion: string;
}

/** A memory of results that were read just as these will be: by the same code, with the same options. */
export function openResultCache(
  { previousDigests, entries, parserVersion }: ResultCacheState,
  { reading, staging }: { reading: ReadOptions; staging: StagerOptions },
): ResultCache {
  const { key, deployment } = staging.secrets;
  const options = JSON.stringify(['memory@1', parserVersion, deployment, staging.ignores, reading]);
  const salt = createHmac('sha256', key).update(options).digest('hex');
  return new ResultCache({ salt, ...(previousDigests && { previousDigests }), ...(entries && { entries }) });
}

const FOLDERS = ['../../reports/', '../../ignores/', '../'].map((path) => new URL(path, import.meta.url));

async function digestOfSources(): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of FOLDERS) {
    const names = await readdir(folder, { recursive: true });
    const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort();
    for (const name of sources) digest.update(`${name}\0`).update(await readFile(new URL(name, folder)));
  }
  return digest.digest('hex');
}

let version: Promise<string> | undefined;

/** Names the code that reads reports: what another version of it has read says nothing of how this one reads. */
export function parserVersion(): Promise<string> {
  version ??= digestOfSources();
  return version;
}
