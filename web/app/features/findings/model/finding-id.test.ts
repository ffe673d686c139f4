import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingId, idLabel } from './finding-id.ts';

test('ids of findings and workflow issues are distinct', () => {
  assert.deepEqual([idLabel('12'), idLabel('WF-12')], ['ISS-12', 'WF-12']);
  assert.deepEqual(['12', 'iss-12', 'wf-12', 'w12', 'WF-'].map(findingId), ['12', '12', 'WF-12', undefined, undefined]);
});
