import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shardOf } from '../shard.ts';
import { type ListedOperation, operations } from './operations.ts';

/** Everything that the modules of these folders export. */
async function exportsOf(folders: readonly string[]): Promise<Set<unknown>> {
  const files = folders
    .flatMap((folder) => globSync(`${folder}**/*.ts`))
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('worker.ts'));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(resolve(file)).href) as Promise<object>));
  return new Set(modules.flatMap((module) => Object.values(module)));
}

/** The operations of a test file: a shard of all, or those of some services (`?services=src/services/teams/`). */
export async function selectOperations(url: string): Promise<readonly ListedOperation[]> {
  const services = new URL(url).searchParams.get('services');
  if (services === null) return shardOf(operations, url);
  const exported = await exportsOf(services.split(','));
  return operations.filter(({ room }) => exported.has(room.group));
}
