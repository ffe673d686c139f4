import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDifferentUser } from './session.ts';

const ada = { id: '1', email: 'ada@example.com', name: 'Ada' };
const bob = { id: '2', email: 'bob@example.com', name: 'Bob' };

test('a refreshed session of a different user is detected', () => {
  assert.equal(isDifferentUser({ kind: 'signed-in', user: ada }, bob), true);
  assert.equal(isDifferentUser({ kind: 'signed-in', user: ada }, { ...ada, name: 'Ada L.' }), false);
  assert.equal(isDifferentUser({ kind: 'unknown' }, bob), false);
  assert.equal(isDifferentUser({ kind: 'signed-out' }, bob), false);
});
