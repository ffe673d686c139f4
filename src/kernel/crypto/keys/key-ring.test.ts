import assert from 'node:assert/strict';
import {
  createSecretKey,
  generateKeyPairSync,
  generateKeySync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KeyRing, loadMasterKey, UnusableKey } from '#kernel/crypto/keys/key-ring.ts';
import { Secret } from '#kernel/crypto/secret.ts';

const root = await mkdtemp(join(tmpdir(), 'parapet-keys-'));
after(() => rm(root, { recursive: true, force: true }));

let folders = 0;
function options() {
  folders += 1;
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify([fields, message]));
  return { dataFolder: join(root, `data-${folders}`), log: { info: write, warn: write }, lines };
}

const good = randomBytes(32);

test('TOK-02 an empty, short, long, uniform or wrong-type master key is refused', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bad: unknown[] = [
    undefined,
    null,
    '',
    good.toString('hex'),
    good,
    new Uint8Array(32),
    createSecretKey(Buffer.alloc(0)),
    createSecretKey(good.subarray(1)),
    createSecretKey(Buffer.concat([good, good])),
    createSecretKey(Buffer.alloc(32)),
    createSecretKey(Buffer.alloc(32, 0xff)),
    publicKey,
    privateKey,
    { type: 'secret', symmetricKeySize: 32, export: () => good },
  ];
  for (const key of bad) assert.throws(() => new KeyRing(key as KeyObject), UnusableKey);
});

test('TOK-02 an unusable configured key is refused with a message that does not contain it', async () => {
  const texts = [
    '',
    ' ',
    'changeme',
    '0'.repeat(64),
    'A'.repeat(43),
    good.toString('hex').slice(1),
    `${good.toString('hex')}0`,
    good.toString('base64').slice(2),
    good.toString('latin1'),
    `0x${good.toString('hex')}`,
    good.toString('hex').replace(/./, 'g'),
    `${good.toString('base64')}${good.toString('base64')}`,
  ];
  for (const text of texts) {
    await assert.rejects(loadMasterKey({ ...options(), value: new Secret(text) }), (error) => {
      assert.ok(error instanceof UnusableKey);
      assert.ok(text.trim() === '' || !error.message.includes(text));
      return true;
    });
  }
});

test('a derived key is the HKDF-SHA-256 of its name, and is derived once', () => {
  const ring = new KeyRing(createSecretKey(good));
  const expected = Buffer.from(hkdfSync('sha256', good, '', 'parapet:v1:cursor', 32));
  assert.deepEqual(ring.derive('cursor').export(), expected);
  assert.equal(ring.derive('cursor'), ring.derive('cursor'));
  assert.equal(ring.derive('cursor').equals(ring.derive('token')), false);
  for (const name of ['', 'Cursor', 'a b', '__proto__', 'x'.repeat(64)])
    assert.throws(() => ring.derive(name), TypeError);
});

test('the fingerprint is eight hexadecimal digits, differs by key, and reveals no key byte', () => {
  const ring = new KeyRing(createSecretKey(good));
  assert.match(ring.fingerprint, /^[0-9a-f]{8}$/);
  assert.equal(new KeyRing(createSecretKey(good)).fingerprint, ring.fingerprint);
  assert.notEqual(new KeyRing(generateKeySync('aes', { length: 256 })).fingerprint, ring.fingerprint);
  assert.ok(!good.toString('hex').includes(ring.fingerprint));
});

test('the same key is read from base64, base64url, hexadecimal, a value and a file', async () => {
  const { fingerprint } = new KeyRing(createSecretKey(good));
  const file = join(root, 'given.key');
  for (const text of [
    good.toString('hex'),
    good.toString('base64'),
    good.toString('base64url'),
    ` ${good.toString('hex')}\n`,
  ]) {
    const fromValue = await loadMasterKey({ ...options(), value: new Secret(text) });
    assert.deepEqual(
      [fromValue.ring.fingerprint, fromValue.source, fromValue.isCreated],
      [fingerprint, 'value', false],
    );
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    const fromFile = await loadMasterKey({ ...options(), file });
    assert.deepEqual([fromFile.ring.fingerprint, fromFile.source, fromFile.isCreated], [fingerprint, 'file', false]);
  }
});

test('the first start creates a key that only this user can read, and later starts find it', async () => {
  const first = options();
  const created = await loadMasterKey(first);
  const again = await loadMasterKey(first);
  assert.deepEqual([created.isCreated, again.isCreated, again.source], [true, false, 'data folder']);
  assert.equal(again.ring.fingerprint, created.ring.fingerprint);
  const folder = join(first.dataFolder, 'keys');
  assert.deepEqual(await readdir(folder), ['master.key']);
  assert.equal((await stat(join(folder, 'master.key'))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const text = (await readFile(join(folder, 'master.key'), 'utf8')).trim();
  assert.ok(!first.lines.join('').includes(text));
  assert.equal(first.lines.length, 1);
});

test('many first starts at once agree on one key', async () => {
  const shared = options();
  const loaded = await Promise.all(Array.from({ length: 16 }, () => loadMasterKey(shared)));
  assert.equal(loaded.filter(({ isCreated }) => isCreated).length, 1);
  assert.equal(new Set(loaded.map(({ ring }) => ring.fingerprint)).size, 1);
  assert.deepEqual(await readdir(join(shared.dataFolder, 'keys')), ['master.key']);
});

test('SEC-08 a damaged or missing key file is refused and never overwritten', async () => {
  const shared = options();
  await loadMasterKey(shared);
  const file = join(shared.dataFolder, 'keys', 'master.key');
  for (const damage of ['', 'half a k', 'x'.repeat(5_000)]) {
    await writeFile(file, damage);
    await assert.rejects(loadMasterKey(shared), UnusableKey);
    assert.equal(await readFile(file, 'utf8'), damage);
  }
  const missing = join(root, 'missing.key');
  await assert.rejects(loadMasterKey({ ...options(), file: missing }), /missing\.key cannot be read \(ENOENT\)/);
  await assert.rejects(stat(missing));
});

test('a key file that other users can read is used with a warning', async () => {
  const file = join(root, 'open.key');
  await writeFile(file, good.toString('base64'));
  await chmod(file, 0o644);
  const given = options();
  await loadMasterKey({ ...given, file });
  assert.match(given.lines.join(''), /0600/);
});
