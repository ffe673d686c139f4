import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { PER_OPERATION, withShards } from './test-files.ts';

/** The top floor imports every service, and every server of a test imports it: reaching a test through it is no news. */
const isTopFloor = (file: string): boolean => /^src\/(?!kernel\/|domain\/|services\/)/.test(file);
const CODE = ['.ts', '.tsx'];
/** Compares all SQL of the schema with the migrations. */
const SCHEMA_TEST = 'test/contract/schema.test.ts';
/** Above this number of services the operations of all are tested. */
const MAX_NARROWED_SERVICES = 12;

const ALIASES = Object.entries(packageJson.imports).map(([alias, target]): [alias: string, folder: string] => [
  alias.replace('*', ''),
  join(target.replace('*', '')),
]);

/** The file that an import of this name in this file means; undefined for packages. */
function targetOf(file: string, name: string): string | undefined {
  if (name.startsWith('.')) return relative('.', join(dirname(file), name));
  const alias = ALIASES.find(([prefix]) => (prefix.endsWith('/') ? name.startsWith(prefix) : name === prefix));
  return alias && join(alias[1] + name.slice(alias[0].length));
}

/** What a file loads when it is loaded: types are gone by then. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(/^(?:import|export)\b(?! type)[^;]*?from '([^']+)'/gms),
    ...text.matchAll(/^import '([^']+)'/gm),
    ...text.matchAll(/import\('([^']+)'\)/g),
    ...text.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g),
  ].flatMap(([, name = '']) => targetOf(file, name) ?? []);
}

/** Files by the file that they import. */
function importersOf(files: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const target of importsOf(file)) importers.set(target, [...(importers.get(target) ?? []), file]);
  return importers;
}

/** The files themselves and all that import them, directly or not. */
function reachedFrom(changed: readonly string[], files: readonly string[]): Set<string> {
  const importers = importersOf(files);
  const reached = new Set<string>();
  const waiting = [...changed];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    if (!isTopFloor(file) || changed.includes(file)) waiting.push(...(importers.get(file) ?? []));
  }
  return reached;
}

/** What differs from the last commit, files that git does not know yet included. */
function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', '-z', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
}

/** A change of SQL or of text counts as a change of the code beside it, which reads it. */
function codeOf(changed: readonly string[], files: readonly string[]): string[] {
  return changed.flatMap((file) => {
    if (CODE.includes(extname(file))) return [file];
    const beside = files.filter((other) => dirname(other) === dirname(file));
    return file.endsWith('.sql') ? [...beside, SCHEMA_TEST] : beside;
  });
}

const serviceOf = (file: string): string[] => /^src\/services\/[\w-]+\//.exec(file)?.slice(0, 1) ?? [];
const servicesOf = (files: Iterable<string>): string[] => [...new Set([...files].flatMap(serviceOf))];

/** Of these test files those that a change since the last commit can reach, as items of the queue. */
export function changedTests(tests: readonly string[]): string[] {
  const files = globSync(['src/**/*.{ts,tsx}', 'test/**/*.ts', 'tools/**/*.ts', 'web/**/*.{ts,tsx}']);
  const changed = codeOf(changedFiles(), files);
  const reached = reachedFrom(changed, files);
  const services = servicesOf([...reached].filter((file) => !file.endsWith('.test.ts')));
  // Its tests call a service through its contract, and import nothing else of it.
  const changedServices = servicesOf(changed);
  const isReached = (file: string) => reached.has(file) || changedServices.some((folder) => file.startsWith(folder));
  const areTestsChanged = changed.some((file) => file.startsWith('test/support/') || PER_OPERATION.includes(file));
  const isNarrow = !areTestsChanged && services.length <= MAX_NARROWED_SERVICES;
  return tests.flatMap((file) => {
    if (!PER_OPERATION.includes(file)) return isReached(file) ? withShards(file) : [];
    if (!isNarrow) return withShards(file);
    return services.length > 0 ? [`${file}?services=${services.join(',')}`] : [];
  });
}
