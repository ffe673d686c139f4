import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readable } from './readable.ts';

test('an address is printed without escapes, and as it is when a stray % makes that impossible', () => {
  assert.equal(readable('http://host/o/acme?q=is%3Aopen'), 'http://host/o/acme?q=is:open');
  assert.equal(readable('http://host/o/acme?q=100%'), 'http://host/o/acme?q=100%');
});
