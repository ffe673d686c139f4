import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import {
  digestOfPack,
  disagreementsOf,
  RECORDING,
  type Recording,
  runEngine,
} from '#test/support/reports/rule-pack.ts';

/**
 * Runs the rules on their examples with the real engine: `npm run check:rules -- [--engine PATH] [--record]`.
 * With --record the result is kept for `npm test`, which needs no engine.
 */

const { values } = parseArgs({
  options: { engine: { type: 'string', default: 'semgrep' }, record: { type: 'boolean', default: false } },
});

function record({ results, ...head }: Recording): void {
  const lines = results.map((match) => JSON.stringify(match)).join(',\n');
  mkdirSync(dirname(RECORDING), { recursive: true });
  writeFileSync(RECORDING, `${JSON.stringify(head).slice(0, -1)},"results":[\n${lines}\n]}\n`);
  console.log(`wrote ${RECORDING}`);
}

function check(): number {
  const found = runEngine(values.engine);
  const problems = [...found.errors.map((error) => JSON.stringify(error)), ...disagreementsOf(found.results)];
  for (const sentence of problems) console.log(sentence);
  if (problems.length > 0) return 1;
  console.log(`✓ semgrep ${found.version}: ${found.results.length} matches, as annotated`);
  if (values.record) record(found);
  else if (!readFileSync(RECORDING, 'utf8').includes(digestOfPack()))
    console.log('The recording is of other rules: run npm run check:rules -- --record');
  return 0;
}

if (spawnSync(values.engine, ['--version'], { stdio: 'ignore' }).status === 0) process.exitCode = check();
else
  console.log(
    `– rules skipped: "${values.engine}" cannot be run. Install it with: python3 -m venv /tmp/engine && ` +
      '/tmp/engine/bin/pip install semgrep, then: npm run check:rules -- --engine /tmp/engine/bin/semgrep',
  );
