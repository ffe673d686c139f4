import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeLines } from './code-lines.ts';

test('the match within its context lines has its line number and is marked', () => {
  const lines = codeLines({ content: 'a\nb\neval(x)\nc\nd', code: '  eval(x)', line: 12, endLine: 12 });
  assert.deepEqual(
    lines.map(({ number, isMarked }) => [number, isMarked]),
    [
      [10, false],
      [11, false],
      [12, true],
      [13, false],
      [14, false],
    ],
  );
});

test('a match without context is numbered from its first line and is not marked', () => {
  const lines = codeLines({ content: 'a\nb', code: 'a\nb', line: 3, endLine: 4 });
  assert.deepEqual(lines, [
    { number: 3, text: 'a', isMarked: false },
    { number: 4, text: 'b', isMarked: false },
  ]);
});

test('lines have no numbers if the position is unknown', () => {
  const lines = codeLines({ content: 'a\nb', code: 'somewhere else', line: 3, endLine: 3 });
  assert.deepEqual(lines, [
    { text: 'a', isMarked: false },
    { text: 'b', isMarked: false },
  ]);
});

test('line numbers are correct wherever the match is in the file', () => {
  const file = fc.array(fc.constantFrom<string>('x', 'y', '', '}', 'eval(q)'), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(file, fc.nat(), (rows, seed) => {
      const at = seed % rows.length;
      const code = `unique(${at})`;
      const text = rows.with(at, code);
      const content = text.slice(Math.max(0, at - 2), at + 3).join('\n');
      const shown = codeLines({ content, code, line: at + 1, endLine: at + 1 });
      for (const { number, text: row } of shown) assert.equal(text[(number ?? 0) - 1], row);
    }),
  );
});
