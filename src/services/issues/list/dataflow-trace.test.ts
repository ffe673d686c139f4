import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { dataflowTraceOf } from './dataflow-trace.ts';
import { DataflowTrace } from './shape.ts';

const place = (line: number) => ({
  path: 'a.py',
  start: { line, col: 3, offset: 20 },
  end: { line, col: 9, offset: 26 },
});

const lines = (steps: readonly { start: { line: number }; content?: string | undefined }[] = []) =>
  steps.map(({ start, content }) => [start.line, content]);

test('a Semgrep trace runs from source to sink through calls', () => {
  const trace = dataflowTraceOf({
    taint_source: ['CliLoc', [place(1), 'input()']],
    intermediate_vars: [{ location: place(2), content: 'x' }],
    taint_sink: [
      'CliCall',
      [[place(3), 'run(x)'], [{ location: place(8), content: 'y' }], ['CliLoc', [place(9), 'eval(y)']]],
    ],
  });
  assert.deepEqual(lines(trace?.taintSource), [[1, 'input()']]);
  assert.deepEqual(lines(trace?.intermediateVars), [[2, 'x']]);
  assert.deepEqual(lines(trace?.taintSink), [
    [3, 'run(x)'],
    [8, 'y'],
    [9, 'eval(y)'],
  ]);
});

test('the first flow of other tools runs from its first to its last step', () => {
  const flow = [1, 2, 3].map((line) => ({
    path: 'a.js',
    region: { line, column: 1, endLine: line, endColumn: 4 },
    code: `line ${line}`,
  }));
  const trace = dataflowTraceOf([flow, flow.slice(1)]);
  assert.deepEqual(lines(trace?.taintSource), [[1, 'line 1']]);
  assert.deepEqual(lines(trace?.intermediateVars), [[2, 'line 2']]);
  assert.deepEqual(lines(trace?.taintSink), [[3, 'line 3']]);
  assert.deepEqual(dataflowTraceOf([flow.slice(0, 1)])?.taintSource, []);
});

test('any reported trace gives a valid trace or none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (source, sink) => {
      for (const stored of [source, [source], { taint_source: source, taint_sink: sink }]) {
        const trace = dataflowTraceOf(stored);
        if (trace) assert.ok(z.encode(DataflowTrace, trace));
      }
    }),
  );
});
