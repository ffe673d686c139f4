import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStep, flowSteps, stepAtOffset } from './data-flow.ts';

const location = (line: number) => ({ path: 'a.js', start: { line: String(line) }, locationUrl: '' });
const steps = flowSteps({
  taintSource: [location(1)],
  intermediateVars: [location(2), location(3)],
  taintSink: [location(9)],
});

test('steps lead from the source to the sink', () => {
  assert.deepEqual(
    steps.map(({ number, role, line }) => [number, role, line]),
    [
      [1, 'Source', 1],
      [2, 'Step', 2],
      [3, 'Step', 3],
      [4, 'Sink', 9],
    ],
  );
  assert.deepEqual(flowSteps(undefined), []);
});

test('without a step in the URL the sink is shown', () => {
  assert.equal(findStep(steps, '2')?.line, 2);
  assert.equal(findStep(steps, '77')?.line, 9);
  assert.equal(findStep([], '1'), undefined);
});

test('offsets are limited to the first and last step', () => {
  assert.equal(stepAtOffset(steps, steps[0], -1)?.number, 1);
  assert.equal(stepAtOffset(steps, steps[0], 1)?.number, 2);
  assert.equal(stepAtOffset(steps, steps[3], 1)?.number, 4);
});
