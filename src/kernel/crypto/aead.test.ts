import assert from 'node:assert/strict';
import { generateKeySync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { contextOf, decrypt, encrypt, makeNonce } from '#kernel/crypto/aead.ts';

const key = generateKeySync('aes', { length: 256 });

test('SEC-06 a nonce has 96 random bits', () => {
  const nonces = new Set(Array.from({ length: 1_000 }, () => makeNonce().toString('hex')));
  assert.equal(nonces.size, 1_000);
  assert.ok([...nonces].every((nonce) => nonce.length === 24));
});

test('SEC-06 a shortened tag, nonce or ciphertext is null and never throws', () => {
  const bound = { key, nonce: makeNonce(), context: contextOf('x') };
  const box = encrypt(bound, Buffer.from('plaintext'));
  assert.equal(decrypt(bound, box)?.toString(), 'plaintext');
  for (let length = 0; length < box.length; length += 1) assert.equal(decrypt(bound, box.subarray(0, length)), null);
  for (const length of [0, 1, 11, 13, 16]) assert.equal(decrypt({ ...bound, nonce: Buffer.alloc(length) }, box), null);
});

test('SEC-06 different lists of parts never have the same context', () => {
  const parts = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.nat(20)), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      const isSame = a.length === b.length && a.every((part, index) => part === b[index]);
      assert.equal(contextOf(...a).equals(contextOf(...b)), isSame);
    }),
  );
});
