import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEqualSecret } from '#kernel/crypto/equal.ts';

test('SEC-09 equal means the same bytes, for every pair of byte strings', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      assert.equal(isEqualSecret(a, b), Buffer.compare(a, b) === 0);
      assert.equal(isEqualSecret(a, Uint8Array.from(a)), true);
    }),
  );
});

test('SEC-09 text equals its own UTF-8 bytes and no other text', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(isEqualSecret(a, b), a === b);
      assert.equal(isEqualSecret(a, Buffer.from(a)), true);
    }),
  );
});

test('SEC-09 one flipped bit or one more byte is never equal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (bytes, position) => {
      const flipped = Uint8Array.from(bytes);
      const index = position % bytes.length;
      flipped[index] = (flipped[index] ?? 0) ^ (1 << (position % 8));
      assert.equal(isEqualSecret(bytes, flipped), false);
      assert.equal(isEqualSecret(bytes, Buffer.concat([bytes, Buffer.of(0)])), false);
    }),
  );
});

test('SEC-09 texts with the same lossy UTF-8 encoding are different', () => {
  assert.equal(isEqualSecret('a\ud800', 'a\ufffd'), false);
  assert.equal(isEqualSecret('a\ud800', 'a\udfff'), false);
  assert.equal(isEqualSecret('\u00e9', 'e\u0301'), false);
});
