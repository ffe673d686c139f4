import { globSync, statSync } from 'node:fs';

/** Every test file of the repository. */
export const allTests = (): string[] =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts']).sort();

/** The test files that an argument names: a file, a folder, a pattern, or one part of a file (`…?shard=1/4`). */
export function testsNamed(argument: string): string[] {
  if (argument.includes('?')) return [argument];
  const isFolder = statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const files = globSync(isFolder ? `${argument}/**/*.test.ts` : argument).sort();
  if (files.length === 0) throw new Error(`There is no test file ${argument}.`);
  return files;
}

/** Files that test every operation: a change in some services needs them for the operations of these only. */
export const PER_OPERATION: readonly string[] = [
  'test/contract/every-operation.test.ts',
  'test/contract/matrix.test.ts',
];

/** Files that count what a process keeps, and so need one of their own. */
export const ALONE: readonly string[] = ['src/kernel/db/query/sql.test.ts'];

/** Files that test the embedded PostgreSQL itself; a run on another one leaves them out. */
const EMBEDDED = 'src/kernel/db/embedded/';

export const needsEmbedded = (file: string): boolean => file.startsWith(EMBEDDED);

/** Files that would take longer than all others together run in parts, each with a server of its own. */
const SHARDS: Readonly<Record<string, number>> = {
  'test/contract/every-operation.test.ts': 4,
  'test/contract/matrix.test.ts': 8,
  'test/browser/every-route.test.ts': 2,
};

/** The parts of a file as items of the queue; the file reads its part from the query of its own address. */
export function withShards(file: string): string[] {
  const count = file.includes('?') ? 1 : (SHARDS[file] ?? 1);
  if (count === 1) return [file];
  return Array.from({ length: count }, (_, index) => `${file}?shard=${index + 1}/${count}`);
}
