import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { dummyHash, hashPassword, needsNewHash, verifyPassword } from '#kernel/crypto/password.ts';
import { Secret } from '#kernel/crypto/secret.ts';

const password = new Secret('correct horse battery staple');
const phc = await hashPassword(password);

test('TOK-14 a hash is Argon2id with at least 19 MiB and two passes in PHC form', () => {
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  const [, , , , salt = '', tag] = phc.split('$');
  const expected = argon2Sync('argon2id', {
    message: 'correct horse battery staple',
    nonce: Buffer.from(salt, 'base64'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  assert.equal(tag, expected.toString('base64').replaceAll('=', ''));
});

test('TOK-14 the right password matches, and a similar one does not', async () => {
  assert.equal(await verifyPassword(password, phc), true);
  for (const near of ['', 'correct horse battery staplE', 'correct horse battery staple ', '[secret]']) {
    assert.equal(await verifyPassword(new Secret(near), phc), false);
  }
});

test('TOK-14 equal passwords have different hashes', async () => {
  assert.notEqual(await hashPassword(password), phc);
});

test('TOK-14 no password matches the dummy hash, which costs as much as a real one', async () => {
  assert.equal(await verifyPassword(password, dummyHash), false);
  assert.equal(dummyHash.length, phc.length);
  assert.equal(dummyHash.slice(0, 31), phc.slice(0, 31));
});

test('TOK-14 a password in another Unicode normalisation form is the same password', async () => {
  const composed = await hashPassword(new Secret('caf\u00e9 caf\u00e9 caf\u00e9'));
  assert.equal(await verifyPassword(new Secret('cafe\u0301 cafe\u0301 cafe\u0301'), composed), true);
  assert.equal(await verifyPassword(new Secret('cafe cafe cafe'), composed), false);
});

test('TOK-14 a lone surrogate is refused and never replaced', async () => {
  await assert.rejects(hashPassword(new Secret('long enough \ud800')), TypeError);
  const replaced = await hashPassword(new Secret('long enough \ufffd'));
  assert.equal(await verifyPassword(new Secret('long enough \ud800'), replaced), false);
});

test('TOK-14 an invalid, foreign or too expensive stored hash does not match', async () => {
  const wrongs = [
    '',
    'plain',
    phc.replace('argon2id', 'argon2i'),
    phc.replace('v=19', 'v=16'),
    phc.replace('m=19456', 'm=9999999'),
    phc.replace('m=19456', 'm=4'),
    phc.replace('t=2', 't=99'),
    phc.replace('p=1', 'p=9'),
    `${phc}=`,
    ` ${phc}`,
    phc.slice(0, -1),
  ];
  for (const wrong of wrongs) {
    assert.equal(await verifyPassword(password, wrong), false, wrong);
    assert.equal(needsNewHash(wrong), true);
  }
});

test('TOK-14 a hash with older costs still verifies, and needs a new hash', async () => {
  const salt = Buffer.alloc(16, 7);
  const cost = { memory: 8_192, passes: 1, parallelism: 1 };
  const tag = argon2Sync('argon2id', { ...cost, message: 'an older password', nonce: salt, tagLength: 32 });
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  const older = `$argon2id$v=19$m=8192,t=1,p=1$${saltText}$${tagText}`;
  assert.equal(await verifyPassword(new Secret('an older password'), older), true);
  assert.equal(needsNewHash(older), true);
  assert.equal(needsNewHash(phc), false);
});

test('TOK-14 a burst of sign-ins is processed without errors', async () => {
  const results = await Promise.all(Array.from({ length: 24 }, () => verifyPassword(password, phc)));
  assert.ok(results.every(Boolean));
});
