import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAddress } from './decode-address.ts';

test('decodes a URL, and leaves it unchanged if its encoding is invalid', () => {
  assert.equal(decodeAddress('http://host/o/acme?q=is%3Aopen'), 'http://host/o/acme?q=is:open');
  assert.equal(decodeAddress('http://host/o/acme?q=100%'), 'http://host/o/acme?q=100%');
});
