import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Checks that the linters still find the faults planted in test/canary, and have not silently stopped working. */
const PLANTED = 'test/canary/planted.ts';
const BIOME = ['noExplicitAny', 'noDefaultExport', 'noForEach'];
const OXLINT = ['no-floating-promises', 'no-misused-promises', 'switch-exhaustiveness-check', 'await-thenable'];

function outputOf(command: string, args: string[], cwd: string): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return stdout + stderr;
}

/** Our configuration excludes the planted file, so a copy of it is linted elsewhere. */
function biome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-canary-'));
  const { $schema: _, vcs: __, files: ___, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
  copyFileSync(PLANTED, join(folder, 'planted.ts'));
  const output = outputOf('biome', ['lint', '.'], folder);
  rmSync(folder, { recursive: true });
  return output;
}

const missing = (output: string, rules: string[]) => rules.filter((name) => !output.includes(name));
const missed = [...missing(biome(), BIOME), ...missing(outputOf('oxlint', ['--type-aware', PLANTED], '.'), OXLINT)];
for (const name of missed) console.log(`the linter no longer reports ${name}`);
process.exit(missed.length === 0 ? 0 : 1);
