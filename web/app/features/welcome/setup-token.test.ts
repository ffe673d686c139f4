import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSetupToken, passwordHint } from './setup-token.ts';

test('the token is extracted from a link, a fragment or plain text only', () => {
  const token = 'Xy7-abc_0123456789';
  for (const text of [`http://127.0.0.1:8080/setup#t=${token}`, `#t=${token}`, token, ` ${token} `])
    assert.equal(parseSetupToken(text), token);
  for (const text of ['', '#t=', 'http://127.0.0.1:8080/setup', 'short', '#other=abcdefgh', 'two words here'])
    assert.equal(parseSetupToken(text), '');
});

test('the password length is counted in code points', () => {
  assert.match(passwordHint('🙂'.repeat(11)), /^1 more to go/);
  assert.match(passwordHint('🙂'.repeat(12)), /^Long enough: 12/);
});
