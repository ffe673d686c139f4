import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDone, clearDone, removeDone, withoutDone } from './done-ids.ts';

const data = {
  pages: [
    { issues: [{ issueId: '1' }, { issueId: '2' }], cursor: 'a' },
    { issues: [], cursor: '' },
  ],
};

test('done findings are removed from every page until that is undone', () => {
  addDone('1');
  assert.deepEqual(withoutDone(data).pages[0], { issues: [{ issueId: '2' }], cursor: 'a' });
  removeDone('1');
  assert.deepEqual(withoutDone(data), data);
  addDone('2');
  clearDone();
  assert.deepEqual(withoutDone(data), data);
});
