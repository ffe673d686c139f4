import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileIgnorePatterns } from './ignore-matcher.ts';

type Case = [lines: string[], ignored: string[], kept: string[]];

const CASES: Case[] = [
  [[], [], ['a']],
  [['', '  ', '# comment', ':include .gitignore'], [], ['comment', '# comment', ' ']],
  [['*.js'], ['a.js', 'x/y/b.js', '.js'], ['a.jsx', 'a.js.map']],
  [['node_modules'], ['node_modules/a', 'x/node_modules/a/b', 'node_modules'], ['node_modules2/a', 'my_node_modules']],
  [['build/'], ['build/a', 'x/build/a'], ['build', 'x/build']],
  [['/build'], ['build', 'build/a'], ['x/build']],
  [['docs/*.md'], ['docs/a.md'], ['x/docs/a.md', 'docs/x/a.md']],
  [['**/foo'], ['foo', 'a/foo', 'a/b/foo/c'], ['food']],
  [['**/foo/bar'], ['foo/bar', 'x/foo/bar/y'], ['foo/x/bar']],
  [['abc/**'], ['abc/x', 'abc/x/y'], ['abc', 'x/abc/y']],
  [['a/**/b'], ['a/b', 'a/x/b', 'a/x/y/b'], ['a/x/c', 'x/a/b']],
  [
    ['*.log', '!keep.log'],
    ['a.log', 'x/b.log'],
    ['keep.log', 'x/keep.log'],
  ],
  [['logs/', '!logs/keep'], ['logs/keep', 'logs/x'], ['log']],
  [['logs/*', '!logs/keep'], ['logs/x'], ['logs/keep']],
  [['!a', 'a'], ['a'], []],
  [['a?c'], ['abc', 'x/aéc', 'a😀c'], ['ac', 'a/c', 'abbc']],
  [
    ['a[bc]d', 'x[!0-9]', '[]]', 'q[a-'],
    ['abd', 'acd', 'xa', ']', 'q[a-'],
    ['aad', 'x1', 'abcd'],
  ],
  [
    ['\\#a', '\\!b', 'c\\*', 'end\\ '],
    ['#a', '!b', 'c*', 'end '],
    ['a', 'b', 'cd', 'end'],
  ],
  [['trail   '], ['trail'], ['trail   ']],
  [['*'], ['a', 'a/b'], []],
  [['/*', '!/src'], ['a', 'x/y'], ['src/a']],
  [['/'], [], ['a']],
  [['a**b'], ['ab', 'axxb'], ['a/b']],
];

test('lines are parsed as in a .semgrepignore file', () => {
  for (const [lines, ignored, kept] of CASES) {
    const isIgnored = compileIgnorePatterns(lines);
    for (const path of ignored) assert.equal(isIgnored(path), true, `${JSON.stringify(lines)} ignores ${path}`);
    for (const path of kept) assert.equal(isIgnored(path), false, `${JSON.stringify(lines)} keeps ${path}`);
  }
});

/** A reference implementation for patterns of stars and letters, by exhaustive search. */
function naive(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return path.some((_, cut) => naive(rest, path.slice(cut))) || naive(rest, []);
  return path.length > 0 && naiveText(first, path[0] ?? '') && naive(rest, path.slice(1));
}
function naiveText(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*')
    return naiveText(pattern.slice(1), text) || (text !== '' && naiveText(pattern, text.slice(1)));
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && naiveText(pattern.slice(1), text.slice(1));
}

const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
const path = fc.array(name, { minLength: 1, maxLength: 5 });
const segment = fc.oneof(
  fc.constant('**'),
  fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 }).filter((text) => text !== '**'),
);

test('a pattern matches exactly what the reference implementation matches', () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), path, (pattern, segments) => {
      const isInside = pattern.length > 1 && pattern.at(-1) === '**';
      const meant = isInside ? [...pattern, '*'] : pattern;
      const expected = segments.some((_, index) => naive(meant, segments.slice(0, index + 1)));
      assert.equal(compileIgnorePatterns([`/${pattern.join('/')}`])(segments.join('/')), expected);
    }),
    { numRuns: 3000 },
  );
});

test('a negated pattern includes an ignored path again, unless its folder is ignored', () => {
  fc.assert(
    fc.property(path, (segments) => {
      const whole = `/${segments.join('/')}`;
      assert.equal(compileIgnorePatterns([whole])(whole), true);
      assert.equal(compileIgnorePatterns([whole, `!${whole}`])(whole), false);
      if (segments.length > 1) assert.equal(compileIgnorePatterns([`/${segments[0]}/`, `!${whole}`])(whole), true);
    }),
  );
});

test('any lines and any path are handled, and adversarial ones quickly', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 20 })), fc.string(), (lines, file) => {
      assert.equal(typeof compileIgnorePatterns(lines)(file), 'boolean');
    }),
  );
  const stars = `${'*a'.repeat(250)}b`;
  const deep = `${'**/a/'.repeat(100)}b`;
  const isIgnored = compileIgnorePatterns([stars, deep]);
  assert.equal(isIgnored('a'.repeat(4000)), false);
  assert.equal(isIgnored(`${'a/'.repeat(300)}c`), false);
});
