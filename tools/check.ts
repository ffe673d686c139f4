import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Types, lint, format, architecture and derived files: runs all checks, then fails if one failed. */

interface Step {
  name: string;
  command: string;
  args: readonly string[];
}

/** Longest first, so that the last ones fill the gaps. Each uses one core: several at once take less time in total. */
const STEPS: readonly Step[] = [
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.json', '--singleThreaded'] },
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  {
    name: 'promises and switches',
    command: 'oxlint',
    args: ['--type-aware', '--threads=1', '--ignore-pattern=test/canary/**', 'src', 'test', 'tools'],
  },
  { name: 'types of the web application', command: 'tsc', args: ['-p', 'web/tsconfig.json', '--singleThreaded'] },
  { name: 'derived files', command: process.execPath, args: ['tools/derive.ts', '--check'] },
  {
    name: 'architecture',
    command: process.execPath,
    args: ['--test', '--test-reporter=spec', 'test/tidy.test.ts', 'test/layout.test.ts'],
  },
  { name: 'linters detect planted faults', command: process.execPath, args: ['tools/canary.ts'] },
];

/** Go and Rust programs would otherwise start a thread for each core. */
const ENVIRONMENT = { ...process.env, GOMAXPROCS: '1', RAYON_NUM_THREADS: '1' };
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

function run({ name, command, args }: Step): Promise<boolean> {
  const start = performance.now();
  return new Promise((resolve) => {
    execFile(command, args, { env: ENVIRONMENT, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${error ? '✗' : '✓'} ${name} (${seconds} s)`);
      if (error) console.log(stdout + stderr || error.message);
      resolve(!error);
    });
  });
}

const waiting = [...STEPS];
let hasFailed = false;
async function work(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) if (!(await run(step))) hasFailed = true;
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exit(hasFailed ? 1 : 0);
