import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ProcessEnd } from '#kernel/sandbox/limited-process.ts';
import { Sandbox } from '#kernel/sandbox/sandbox.ts';
import { ProcessFolder } from '#kernel/spool/process-folder.ts';
import { annotationsOf, testResultsOf } from './annotation-rules.ts';
import { readOutcome } from './engine-output.ts';
import { findEngine } from './find-engine.ts';
import { runEngine } from './run-engine.ts';

const facts = { target: 'a\nb\nc', isDeep: false, environment: 'test', runId: 'r1' };
const outcomeOf = (text: string, end: ProcessEnd = 'exited', exitCode: number | undefined = 0) => ({
  ...{ end, exitCode, stdout: Buffer.from(text), stderr: Buffer.alloc(0), durationMs: 1234 },
});
const at = (line: number) => ({ line, col: 1, offset: 0 });

test('a run that was stopped says why', () => {
  const typeOf = (end: ProcessEnd) =>
    readOutcome(outcomeOf('{"version":', end, undefined), facts).result.run_error?.type;
  assert.deepEqual((['time', 'memory', 'output', 'cancelled'] as const).map(typeOf), [
    'Timeout',
    'OutOfMemory',
    'TooManyMatches',
    'EngineError',
  ]);
  assert.equal(readOutcome(outcomeOf('not JSON'), facts).result.status_code, 124);
});

test('the lines of a match come from the code, and only so many that a report stays small', () => {
  const result = (first: number, last: number) => ({ check_id: 'r', start: at(first), end: at(last), extra: {} });
  const target = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join('\n');
  const report = { version: '1', results: [result(2, 3), result(1, 1000), result(5000, 5001)], errors: [] };
  const { output, run_time } = readOutcome(outcomeOf(JSON.stringify(report)), { ...facts, target }).result;
  const lines = (output['results'] as { extra: { lines: string } }[]).map(({ extra }) => extra.lines);
  assert.deepEqual([lines[0], lines[1]?.split('\n').length, lines[2]], ['line 2\nline 3', 10, '']);
  assert.equal(run_time, 1.234);
});

const engine = await findEngine(process.env['PARAPET_SEMGREP'] ?? '');
const skip = 'reason' in engine && `the real engine is not tested: ${engine.reason}`;

test('the real engine finds, tests and refuses rules, and is stopped', { skip }, async () => {
  const parent = await mkdtemp(join(tmpdir(), 'parapet-engine-'));
  const sandbox = new Sandbox({ folder: new ProcessFolder(parent), minLevel: 'weak' });
  const enginePath = 'path' in engine ? engine.path : '';
  const run = async (pattern: string, target: string) => {
    const { signal } = new AbortController();
    const outcome = await runEngine(sandbox, {
      enginePath,
      pattern,
      target,
      language: 'python',
      isDebug: false,
      signal,
    });
    return readOutcome(outcome, { ...facts, target });
  };
  try {
    const rule = 'rules:\n- {id: eq, pattern: $X == $X, message: m, languages: [python], severity: ERROR}\n';
    const target = '# ruleid: eq\na == a\n# ok: eq\na == b\n# todoruleid: eq\nc == d\n';
    const found = await run(rule, target);
    assert.equal(found.result.run_error, undefined, JSON.stringify(found));
    assert.deepEqual(
      testResultsOf(annotationsOf(target), found.matches).map(({ status }) => status),
      ['passed', 'passed', 'todo'],
    );
    assert.deepEqual((await run('$X == $X', target)).matches, [{ ruleId: '-', line: 2 }]);
    const broken = (await run(rule.replace('$X == $X', '$X =='), target)).result;
    assert.deepEqual([broken.status_code, broken.run_error?.type], [7, 'Rule parse error']);
    assert.equal((await run('rules: [', target)).result.run_error?.type, 'Invalid YAML');
  } finally {
    await sandbox.close();
    await rm(parent, { recursive: true });
  }
});
