import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ListedOperation, operations } from './operations.ts';

/** The part of a list that a test file with `?shard=1/4` in its address tests; without it, all of it. */
export function shardOf<Item>(items: readonly Item[], url: string): Item[] {
  const [number = 1, count = 1] = (new URL(url).searchParams.get('shard') ?? '1/1').split('/').map(Number);
  return items.filter((_, index) => index % count === number - 1);
}

/** Everything that the modules of these folders export. */
async function exportsOf(folders: readonly string[]): Promise<Set<unknown>> {
  const files = folders
    .flatMap((folder) => globSync(`${folder}**/*.ts`))
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('worker.ts'));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(resolve(file)).href) as Promise<object>));
  return new Set(modules.flatMap((module) => Object.values(module)));
}

/** The operations that a test file tests: a shard of all, those of some services (`?services=src/services/teams/`). */
export async function selectOperations(url: string): Promise<readonly ListedOperation[]> {
  const services = new URL(url).searchParams.get('services');
  if (services === null) return shardOf(operations, url);
  const exported = await exportsOf(services.split(','));
  return operations.filter(({ room }) => exported.has(room.group));
}
