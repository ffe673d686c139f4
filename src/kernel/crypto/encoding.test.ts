import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, decodeBase64Url } from '#kernel/crypto/encoding.ts';

test('base64url text is decoded to its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(decodeBase64Url(Buffer.from(bytes).toString('base64url')), Buffer.from(bytes));
    }),
  );
});

test('two texts never decode to the same bytes', () => {
  const characters = fc.constantFrom(...'ABab01-_+/=. \n');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 12 }), (text) => {
      const bytes = decodeBase64Url(text);
      return bytes === null || bytes.toString('base64url') === text;
    }),
  );
  for (const text of ['QQ==', 'QR', 'Q', '+/', 'Q Q', 'QQ\n', 'é']) assert.equal(decodeBase64Url(text), null);
});

test('a lone surrogate is refused, not replaced', () => {
  assert.throws(() => bytesOf('a\ud800'), TypeError);
  assert.deepEqual(Buffer.from(bytesOf('é😀')), Buffer.from('é😀', 'utf8'));
});
