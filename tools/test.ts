import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Runs every test, or those in the files that the arguments name. */
const wanted = process.argv.slice(2);
const files =
  wanted.length > 0
    ? wanted
    : globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts']).sort();
const runner = spawn(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    '--test-global-setup=./test/support/world/postgres-server.ts',
    ...files,
  ],
  { stdio: 'inherit' },
);
runner.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
