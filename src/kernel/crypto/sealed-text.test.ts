import assert from 'node:assert/strict';
import { createSecretKey, generateKeySync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';

const key = generateKeySync('aes', { length: 256 });
const otherKey = generateKeySync('aes', { length: 256 });
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('INP-06 a sealed text is unsealed to its payload', () => {
  fc.assert(
    fc.property(fc.string(), fc.uint8Array(), (purpose, payload) => {
      assert.deepEqual(unseal(key, purpose, seal(key, purpose, payload)), Buffer.from(payload));
    }),
  );
  assert.equal(unseal(key, 'cursor', seal(key, 'cursor', 'é😀'))?.toString(), 'é😀');
});

test('INP-06 a sealed text cannot be unsealed with another purpose or key', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.uint8Array(),
      (made, used, payload) => {
        const text = seal(key, made, payload);
        assert.equal(unseal(key, used, text) !== null, made === used);
        assert.equal(unseal(otherKey, made, text), null);
      },
    ),
  );
});

test('INP-06 every flipped bit is refused', () => {
  const sealed = Buffer.from(seal(key, 'cursor', 'page 2'), 'base64url');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(unseal(key, 'cursor', flipped.toString('base64url')), null);
  }
});

test('INP-06 every other character in every position is refused, for all three paddings', () => {
  for (const payload of ['', 'a', 'ab']) {
    const text = seal(key, 'cursor', payload);
    for (let position = 0; position < text.length; position += 1) {
      for (const character of [...ALPHABET, '+', '/', '=', ' ', '\n']) {
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        if (changed !== text) assert.equal(unseal(key, 'cursor', changed), null);
      }
    }
  }
});

test('INP-06 a shortened, extended, padded or foreign text is null and never throws', () => {
  const text = seal(key, 'cursor', 'page 2');
  for (let length = 0; length < text.length; length += 1) {
    assert.equal(unseal(key, 'cursor', text.slice(0, length)), null);
  }
  for (const wrong of [`${text}A`, `${text}=`, `${text} `, ` ${text}`, `${text}\u0000`, text + text]) {
    assert.equal(unseal(key, 'cursor', wrong), null);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (garbage) => unseal(key, 'cursor', garbage) === null));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
      assert.equal(unseal(key, 'cursor', Buffer.of(1, ...garbage).toString('base64url')), null);
    }),
  );
});

test('INP-06 sealing the same payload twice yields different texts', () => {
  const texts = new Set(Array.from({ length: 1_000 }, () => seal(key, 'cursor', 'page 2')));
  assert.equal(texts.size, 1_000);
});

test('INP-06 a text sealed by an earlier release can still be unsealed', () => {
  const oldKey = createSecretKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  const text = 'AXL3y1_fHfrz_nDanF4W-nvf6wzbnr3vpvPV9iNbyoIZITFUoZwBXp5qpT2ySV8';
  assert.equal(unseal(oldKey, 'cursor', text)?.toString(), 'page 2');
});
