import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { ed25519From } from './signing-key.ts';

test('the key pair of a secret is that of RFC 8032', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const { publicKey, privateKey, keyId } = ed25519From(createSecretKey(Buffer.from(seed, 'hex')));
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  assert.equal(raw, 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  const signature = sign(null, Buffer.alloc(0), privateKey).toString('hex');
  assert.match(signature, /^e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155/);
  assert.equal(keyId, '21fe31dfa154a261');
});

test('different secrets give different keys, and one does not verify for the other', () => {
  const [mine, theirs] = [1, 2].map(() => ed25519From(createSecretKey(randomBytes(32))));
  assert.ok(mine && theirs);
  assert.notEqual(mine.keyId, theirs.keyId);
  const signature = sign(null, Buffer.from('text'), mine.privateKey);
  assert.ok(verify(null, Buffer.from('text'), mine.publicKey, signature));
  assert.ok(!verify(null, Buffer.from('text'), theirs.publicKey, signature));
});

test('a secret of another length is refused', () => {
  assert.throws(() => ed25519From(createSecretKey(randomBytes(31))), TypeError);
});
