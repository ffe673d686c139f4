import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validationMessage } from './validation-message.ts';

test('every result is told in a sentence, and an unknown one as it came', () => {
  assert.match(validationMessage({ valid: true, error: '' }), /works/);
  assert.match(validationMessage({ valid: false, error: 'invalid_client' }), /refused/);
  assert.equal(validationMessage({ valid: false, error: 'new_one' }), 'new_one');
});
