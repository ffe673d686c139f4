import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateSearch } from './search.ts';

test('undefined removes a parameter', () => {
  assert.deepEqual(updateSearch({ q: 'is:open', at: '1' }, { at: undefined, sort: 'severity' }), {
    q: 'is:open',
    sort: 'severity',
  });
});
