import assert from 'node:assert/strict';
import { createSecretKey, generateKeySync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createDataKey,
  EnvelopeFailure,
  type FieldLocation,
  keyVersionOf,
  MAX_SEALS_PER_KEY,
  openField,
  rewrap,
  sealField,
  unwrapDataKey,
} from '#kernel/crypto/keys/envelope.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';

const kek = generateKeySync('aes', { length: 256 });
const otherKek = generateKeySync('aes', { length: 256 });
const wrapped = createDataKey(kek, { deployment: '7', keyVersion: 1 });
const dataKey = unwrapDataKey(kek, wrapped);
const place: FieldLocation = { table: 'sso', column: 'client_secret', row: '12', deployment: '7', keyVersion: 1 };

function refusal(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof EnvelopeFailure);
    return error.reason;
  }
}

function flipBit(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'latin1');
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString('latin1');
}

test('SEC-06 a field is decrypted at its own location, as a secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(reveal(openField(dataKey, place, sealField(dataKey, place, new Secret(text)))), text);
      assert.equal(reveal(openField(dataKey, place, sealField(dataKey, place, text))), text);
    }),
  );
});

test('SEC-06 a field moved to any other table, column or row is refused', () => {
  const name = fc.string({ unit: 'binary', maxLength: 6 });
  const places = fc.record({ table: name, column: name, row: name }).map((moved) => ({ ...place, ...moved }));
  fc.assert(
    fc.property(places, places, (from, to) => {
      const isSamePlace = from.table === to.table && from.column === to.column && from.row === to.row;
      const reason = refusal(() => openField(dataKey, to, sealField(dataKey, from, 'x')));
      assert.equal(reason, isSamePlace ? null : 'tampered');
    }),
    { numRuns: 1_000 },
  );
});

test('SEC-06 the boundaries between the names of a location are unambiguous', () => {
  const text = sealField(dataKey, { ...place, table: 'ab', column: 'c' }, 'x');
  for (const moved of [
    { table: 'a', column: 'bc' },
    { table: 'ab","c', column: '' },
    { table: 'abc', column: '' },
  ]) {
    assert.equal(
      refusal(() => openField(dataKey, { ...place, ...moved }, text)),
      'tampered',
    );
  }
});

test('SEC-06 a field of one deployment cannot be decrypted in another, even with the same data key', () => {
  const text = sealField(dataKey, place, 'x');
  const foreign = unwrapDataKey(kek, createDataKey(kek, { deployment: '8', keyVersion: 1 }));
  assert.equal(
    refusal(() => openField(foreign, { ...place, deployment: '8' }, text)),
    'tampered',
  );
  assert.equal(
    refusal(() => openField(foreign, place, text)),
    'wrong_key',
  );
  const stolen = { ...dataKey, deployment: '8' };
  assert.equal(
    refusal(() => openField(stolen, { ...place, deployment: '8' }, text)),
    'tampered',
  );
});

test('SEC-06 every flipped bit of a sealed field is refused', () => {
  for (const plaintext of ['', 'a', 'ab', 'abc']) {
    const text = sealField(dataKey, place, plaintext);
    for (let bit = 0; bit < text.length * 8; bit += 1) {
      assert.notEqual(
        refusal(() => openField(dataKey, place, flipBit(text, bit))),
        null,
      );
    }
  }
});

test('SEC-06 every flipped bit of a wrapped key is refused', () => {
  for (let bit = 0; bit < wrapped.text.length * 8; bit += 1) {
    const text = flipBit(wrapped.text, bit);
    assert.notEqual(
      refusal(() => unwrapDataKey(kek, { ...wrapped, text })),
      null,
    );
  }
});

test('SEC-06 garbage in place of a field or key is refused as malformed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (garbage) => {
      assert.equal(
        refusal(() => openField(dataKey, place, garbage)),
        'malformed',
      );
      assert.equal(
        refusal(() => unwrapDataKey(kek, { ...wrapped, text: garbage })),
        'malformed',
      );
    }),
  );
});

test('SEC-06 a wrapped key is valid only for its deployment and version', () => {
  assert.equal(
    refusal(() => unwrapDataKey(kek, { ...wrapped, deployment: '8' })),
    'tampered',
  );
  assert.equal(
    refusal(() => unwrapDataKey(kek, { ...wrapped, keyVersion: 2 })),
    'tampered',
  );
});

test('SEC-07 the format contains its version and key, and old and new keys work side by side', () => {
  const next = unwrapDataKey(kek, createDataKey(kek, { deployment: '7', keyVersion: 2 }));
  const fields = [sealField(dataKey, place, 'old'), sealField(next, { ...place, keyVersion: 2 }, 'new')];
  assert.deepEqual(fields.map(keyVersionOf), [1, 2]);
  const opened = fields.map((text) => {
    const keyVersion = keyVersionOf(text) ?? 0;
    return reveal(openField(keyVersion === 2 ? next : dataKey, { ...place, keyVersion }, text));
  });
  assert.deepEqual(opened, ['old', 'new']);
  assert.equal(
    refusal(() => openField(dataKey, place, fields[1] ?? '')),
    'wrong_key',
  );
  assert.equal(keyVersionOf('plain text'), null);
});

test('SEC-07 rotating the key-encryption key changes only the wrapped key, and can be repeated', () => {
  const text = sealField(dataKey, place, 'kept');
  const moved = rewrap(kek, otherKek, wrapped);
  assert.equal(reveal(openField(unwrapDataKey(otherKek, moved), place, text)), 'kept');
  assert.equal(
    refusal(() => unwrapDataKey(kek, moved)),
    'wrong_key',
  );
  assert.deepEqual(rewrap(kek, otherKek, moved), moved);
});

test('SEC-07 a data key refuses to seal more than its maximum', () => {
  const tired = unwrapDataKey(kek, wrapped, MAX_SEALS_PER_KEY - 1);
  const text = sealField(tired, place, 'last');
  assert.equal(
    refusal(() => sealField(tired, place, 'one too many')),
    'exhausted',
  );
  assert.equal(reveal(openField(tired, place, text)), 'last');
});

test('SEC-08 a wrong key-encryption key is distinguished from tampering', () => {
  assert.equal(
    refusal(() => unwrapDataKey(otherKek, wrapped)),
    'wrong_key',
  );
  assert.equal(
    refusal(() => rewrap(otherKek, generateKeySync('aes', { length: 256 }), wrapped)),
    'wrong_key',
  );
});

test('SEC-06 invalid versions and texts with lone surrogates are refused before sealing', () => {
  for (const keyVersion of [0, -1, 1.5, Number.NaN, 1e9]) {
    assert.throws(() => createDataKey(kek, { deployment: '7', keyVersion }), RangeError);
  }
  assert.equal(createDataKey(kek, { deployment: '7', keyVersion: 999_999_999 }).keyVersion, 999_999_999);
  assert.throws(() => sealField(dataKey, place, '\ud800'), TypeError);
});

test('SEC-07 data that an earlier release wrapped and sealed can still be decrypted', () => {
  const oldKek = createSecretKey(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  const old = {
    key: 'w1.d6666c5c.qgACWHlP3p8DCwdi.abRrmLIG2bVHqerg1XhfYmw0qm08XXt3X_FKMbpssWshpGA-BvFjjYTfzt3BI8_0',
    field: 'v1.1.xGwvBYnlEuhQHoo5.ECl0qQdblc739j4qwMAwkXpk0TVffcb7tvf-bhaT',
  };
  const oldKey = unwrapDataKey(oldKek, { deployment: '7', keyVersion: 1, text: old.key });
  assert.equal(reveal(openField(oldKey, place, old.field)), 'kept for years');
});
