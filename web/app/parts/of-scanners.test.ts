import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofScanners } from './of-scanners.ts';

test('a number of what scanners found leads to a list without what workflows found', () => {
  assert.equal(ofScanners('is:open severity:high'), 'is:open severity:high -type:workflow');
  assert.equal(ofScanners('is:open type:code'), 'is:open type:code');
  assert.equal(ofScanners('-type:secret'), '-type:secret,workflow');
  assert.equal(ofScanners('severty:high'), 'severty:high');
});
