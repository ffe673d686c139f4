import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskCode, maskMessage, maskValue, matchIn } from './mask-secrets.ts';

test('SEC-01: at most the first 4 and last 2 characters are shown, never the length', () => {
  assert.equal(maskValue('AKIAQYLPMN5HFIQR7XYA'), 'AKIA********YA');
  assert.equal(maskValue('hunter2'), '********');
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60 }), (value) => {
      assert.ok([...maskValue(value)].length <= 14);
    }),
  );
});

test('SEC-01: the value does not occur in masked text', () => {
  const value = fc.stringMatching(/^[A-Za-z0-9$&+/=_-]{8,40}$/);
  const around = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(value, around, around, (secret, before, after) => {
      for (const mask of [maskCode, maskMessage]) {
        assert.ok(!mask(`${before}"${secret}"${after}`, secret).includes(secret));
      }
    }),
  );
});

test('if the value is unknown or does not occur in the code, everything that could be a secret is masked', () => {
  assert.equal(maskCode('key = "c2VjcmV0LXZhbHVlLTEyMzQ="', undefined), 'key = "c2Vj********Q="');
  assert.equal(maskCode('password = "hunter2-super"', 'other'), '******** = "********"');
  assert.equal(
    maskMessage('The word password stays, ghp_1234567890abcdef does not', undefined),
    'The word password stays, ghp_********ef does not',
  );
});

test('a second secret beside the known one is masked too', () => {
  assert.equal(
    maskCode('a="AKIAQYLPMN5HFIQR7XYA" b="ghp_1234567890abcdef"', 'AKIAQYLPMN5HFIQR7XYA'),
    'a="AKIA********YA" b="ghp_********ef"',
  );
});

test('a multi-line key is masked whatever its indentation', () => {
  const key = '-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nabcdefgh12345678\n-----END KEY-----';
  const shown = maskCode(key.replaceAll('\n', '\n    '), key);
  assert.doesNotMatch(shown, /MIIEpAIBAAKCAQEA|abcdefgh12345678/);
});

test('a match is extracted from whole lines by its columns, without quotes', () => {
  assert.equal(matchIn("const a = 'secret';", 11, 19), 'secret');
  assert.equal(matchIn('ab\ncd\nef', 2, 2), 'b\ncd\ne');
  assert.equal(matchIn('x', 0, 0), undefined);
  assert.equal(matchIn('x', 5, 9), undefined);
});
