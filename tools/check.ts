import { spawnSync } from 'node:child_process';

/** Types, lint, format, the law of the house, and derived files that are current: all of it, then the verdict. */
const STEPS: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the web pages', 'tsc', ['-p', 'web/tsconfig.json']],
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['promises and switches', 'oxlint', ['--type-aware', '--ignore-pattern=test/canary/**', 'src', 'test', 'tools']],
  ['the linters still look', process.execPath, ['tools/canary.ts']],
  ['the law of the house', process.execPath, ['--test', '--test-reporter=spec', 'test/tidy.test.ts']],
  ['derived files are current', process.execPath, ['tools/derive.ts', '--check']],
];

let hasFailed = false;
for (const [name, command, args] of STEPS) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
  if (status === 0) continue;
  hasFailed = true;
  console.log(stdout + stderr);
}
process.exit(hasFailed ? 1 : 0);
