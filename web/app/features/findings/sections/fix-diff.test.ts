import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines, fixDiff } from './fix-diff.ts';

const shown = (lines: { kind: string; text: string }[]) => lines.map(({ kind, text }) => `${kind} ${text}`);

test('a fix replaces the match within its line', () => {
  const location = { line: 3, endLine: 3, column: 9, endColumn: 16 };
  assert.deepEqual(shown(fixDiff({ ...location, code: '  x =   eval(s)  ;', fix: 'parse(s)' })), [
    'removed   x =   eval(s)  ;',
    'added   x =   parse(s)  ;',
  ]);
});

test('unchanged lines are not shown as changed', () => {
  const location = { line: 1, endLine: 3, column: 1, endColumn: 2 };
  assert.deepEqual(shown(fixDiff({ ...location, code: 'a\nb\nc', fix: 'a\nB\nc' })), [
    'same a',
    'removed b',
    'added B',
    'same c',
  ]);
});

test('without whole lines the diff shows the match alone', () => {
  const location = { line: 1, endLine: 1, column: 5, endColumn: 9 };
  assert.deepEqual(shown(fixDiff({ ...location, code: 'eval', fix: 'parse' })), ['removed eval', 'added parse']);
  assert.deepEqual(shown(fixDiff({ ...location, code: '', fix: 'parse' })), ['added parse']);
});

test('removes the indent of the fix if the code has none', () => {
  const location = { line: 1, endLine: 1, column: 3, endColumn: 10 };
  assert.deepEqual(shown(fixDiff({ ...location, code: 'eval(x)', fix: '  if (ok)\n    parse(x)' })), [
    'removed eval(x)',
    'added if (ok)',
    'added   parse(x)',
  ]);
});

test('parses a unified diff without its headers', () => {
  assert.deepEqual(shown(diffLines('--- a\n+++ b\n@@ -1 +1 @@\n x\n-y\n+z\n')), ['same x', 'removed y', 'added z']);
});
