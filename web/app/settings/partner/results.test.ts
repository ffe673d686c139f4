import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceOf } from './results.ts';

test('every result is told in a sentence, and an unknown one as it came', () => {
  assert.match(sentenceOf({ valid: true, error: '' }), /works/);
  assert.match(sentenceOf({ valid: false, error: 'invalid_client' }), /refused/);
  assert.equal(sentenceOf({ valid: false, error: 'new_one' }), 'new_one');
});
