import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validationMessage } from './validation-message.ts';

test('every result has a message, and unknown errors are shown as they are', () => {
  assert.match(validationMessage({ valid: true, error: '' }), /accepted/);
  assert.match(validationMessage({ valid: false, error: 'invalid_client' }), /rejected/);
  assert.equal(validationMessage({ valid: false, error: 'new_one' }), 'new_one');
});
