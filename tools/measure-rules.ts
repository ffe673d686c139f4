import { spawnSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MEASURED, type MeasuredProject, readMeasured, ruleFiles } from './rule-pack.ts';

/**
 * Counts the matches of the rules in well-kept projects: `node tools/measure-rules.ts [--engine PATH] FOLDER`, where the
 * folder has a folder `name-version` for each project. Tests and dependencies are left out,
 * as scanners do by default. A project that was measured before is replaced; the others stay.
 */

const NOT_MEASURED = ['test', 'tests', 'Tests', '__tests__', 'testdata', 'spec', 'vendor', 'node_modules', '*_test.go'];

const Result = z.object({
  results: z.array(z.object({ check_id: z.string(), path: z.string(), start: z.object({ line: z.number() }) })),
  paths: z.object({ scanned: z.array(z.string()) }),
});

const { values, positionals } = parseArgs({
  options: { engine: { type: 'string', default: 'semgrep' }, show: { type: 'boolean', default: false } },
  allowPositionals: true,
});

function scan(root: string): z.output<typeof Result> {
  const flags = ['--metrics=off', '--disable-version-check', '--no-rewrite-rule-ids', '--no-git-ignore', '--json'];
  const limits = ['-j', '1', '--timeout', '10', '--timeout-threshold', '3', '--max-target-bytes', '200000'];
  const excluded = NOT_MEASURED.flatMap((name) => ['--exclude', name]);
  const configs = ruleFiles().flatMap((file) => ['--config', `${process.cwd()}/${file}`]);
  const { stdout, stderr, status } = spawnSync(
    values.engine,
    ['scan', ...flags, ...limits, ...excluded, ...configs, '.'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 512 * 1024 * 1024,
    },
  );
  if (status !== 0) throw new Error(`The engine ended with ${status}: ${stderr.slice(-2000)}`);
  return Result.parse(JSON.parse(stdout));
}

function measure(root: string): MeasuredProject[] {
  const { results, paths } = scan(root);
  return globSync('*/', { cwd: root }).map((folder) => {
    const project = folder.replace(/\/$/, '');
    const isOf = (path: string) => path.replace(/^\.\//, '').startsWith(`${project}/`);
    const matches: Record<string, number> = {};
    for (const { check_id: rule, path, start } of results.filter((one) => isOf(one.path))) {
      matches[rule] = (matches[rule] ?? 0) + 1;
      if (values.show) console.log(`  ${rule} ${path}:${start.line}`);
    }
    return { project, files: paths.scanned.filter(isOf).length, matches };
  });
}

const [root] = positionals;
if (root === undefined) throw new Error('Name the folder that has the projects.');
const measured = new Map(readMeasured().map((one) => [one.project, one]));
for (const one of measure(root)) {
  const count = Object.values(one.matches).reduce((sum, next) => sum + next, 0);
  console.log(`✓ ${one.project}: ${one.files} files, ${count} matches`);
  measured.set(one.project, one);
}
const sorted = [...measured.values()].sort((left, right) => (left.project < right.project ? -1 : 1));
writeFileSync(MEASURED, `[\n${sorted.map((project) => JSON.stringify(project)).join(',\n')}\n]\n`);
