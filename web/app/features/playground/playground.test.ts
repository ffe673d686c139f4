import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksOf, matchesOf, problemsOf } from './engine-report.ts';

const match = (line: number) => ({ key: 0, ruleId: 'r', line, endLine: line, message: '', lines: '', fix: '' });

test('a line shows its worst test, and a match only without one', () => {
  const tests = [
    { line_no: 2, status: 'passed' },
    { line_no: 2, status: 'failed' },
    { line_no: 2, status: 'todo' },
    { line_no: 4, status: 'todo' },
  ];
  assert.deepEqual([...marksOf([match(1), match(2)], tests)].sort(), [
    [1, 'match'],
    [2, 'failed'],
    [4, 'todo'],
  ]);
});

test('reports are read leniently, because engines differ', () => {
  assert.deepEqual(matchesOf({ results: 'none' }), []);
  assert.deepEqual(matchesOf({ results: [{ check_id: 'r', start: { line: 3 }, end: { line: 4 } }] }), [
    { ...match(3), endLine: 4 },
  ]);
  assert.deepEqual(problemsOf({ errors: [{ message: 'm', level: 'error' }, { type: 5 }] }), [
    { message: 'm', isError: true },
    { message: '', isError: false },
  ]);
});
