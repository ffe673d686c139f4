import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ruleFiles } from '../../../tools/rule-pack.ts';

/** The files of the rule pack: the recorded results of the engine and the annotations of the targets. */
export const RECORDING = 'test/fixtures/rule-pack/semgrep.json';

const Position = z.object({ line: z.number(), col: z.number() });
const Match = z.object({ check_id: z.string(), path: z.string(), start: Position, end: Position });
export type Match = z.output<typeof Match>;
const Result = z.object({ version: z.string(), errors: z.array(z.unknown()), results: z.array(Match) });
export const Recording = z.object({ digest: z.string(), ...Result.shape });
export type Recording = z.output<typeof Recording>;

const packFiles = (): string[] => globSync('rules/*/*.*').sort();
/** A rule file has one target or more: `pods.yaml` has `pods.test.yaml`, `user.yaml` has `user.first.dockerfile`. */
const stemOf = (file: string): string => file.replace(/\.[^/]+$/, '');
export const targetsOf = (ruleFile: string): string[] =>
  packFiles().filter((file) => file !== ruleFile && stemOf(file) === stemOf(ruleFile));

/** A digest of the rules and their targets. */
export function digestOfPack(): string {
  const hash = createHash('sha256');
  for (const file of packFiles()) hash.update(`${file}\0${readFileSync(file, 'utf8')}\0`);
  return hash.digest('hex');
}

/** For each rule the lines after `ruleid:` (must match) and after `ok:` (must not). */
export function annotationsOf(target: string): Map<string, { matching: number[]; clean: number[] }> {
  const annotations = new Map<string, { matching: number[]; clean: number[] }>();
  for (const [index, line] of readFileSync(target, 'utf8').split('\n').entries()) {
    const [, word = '', ids = ''] = /^\s*(?:#|\/\/) ?(ruleid|ok): (.+)$/.exec(line) ?? [];
    if (word === '') continue;
    for (const id of ids.split(', ')) {
      const lines = annotations.get(id) ?? { matching: [], clean: [] };
      // The line after the comment; lines count from one.
      lines[word === 'ruleid' ? 'matching' : 'clean'].push(index + 2);
      annotations.set(id, lines);
    }
  }
  return annotations;
}

const orderOf = ({ path, check_id, start }: Match): string =>
  `${path} ${String(start.line).padStart(6, '0')} ${check_id} ${String(start.col).padStart(6, '0')}`;

/** The results of the installed engine for the pack on its own targets, without network access. */
export function runEngine(program: string): Recording {
  const home = mkdtempSync(join(tmpdir(), 'parapet-engine-'));
  const flags = ['--metrics=off', '--disable-version-check', '--no-rewrite-rule-ids', '--no-git-ignore', '--json'];
  const configs = ruleFiles().flatMap((file) => ['--config', file]);
  const targets = ruleFiles().flatMap(targetsOf);
  try {
    const { stdout, stderr, status } = spawnSync(program, ['scan', ...flags, ...configs, ...targets], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, SEMGREP_SEND_METRICS: 'off', SEMGREP_ENABLE_VERSION_CHECK: '0' },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`The engine ended with ${status}: ${stderr.slice(-2000)}`);
    const { version, errors, results } = Result.parse(JSON.parse(stdout));
    const sorted = results.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
    return { digest: digestOfPack(), version, errors, results: sorted };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Differences between the results of the engine and the annotations, one sentence each. */
export function disagreementsOf(results: readonly Match[]): string[] {
  return ruleFiles().flatMap((ruleFile) =>
    targetsOf(ruleFile).flatMap((target) =>
      [...annotationsOf(target)].flatMap(([id, { matching, clean }]) => {
        const found = new Set(
          results.filter(({ check_id, path }) => check_id === id && path === target).map(({ start }) => start.line),
        );
        return [
          ...matching.filter((line) => !found.has(line)).map((line) => `${id} misses ${target}:${line}`),
          ...clean.filter((line) => found.has(line)).map((line) => `${id} must not match ${target}:${line}`),
          ...[...found]
            .filter((line) => !matching.includes(line) && !clean.includes(line))
            .map((line) => `${id} matches ${target}:${line}, which has no annotation`),
        ];
      }),
    ),
  );
}
