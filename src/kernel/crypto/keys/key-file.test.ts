import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createKeyFile, readKeyFile } from '#kernel/crypto/keys/key-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'parapet-key-file-'));
after(() => rm(folder, { recursive: true, force: true }));

test('SEC-08 a key file is created once and never overwritten', async () => {
  const file = join(folder, 'once', 'a.key');
  assert.equal(await createKeyFile(file, 'first'), true);
  assert.equal(await createKeyFile(file, 'second'), false);
  assert.deepEqual(await readKeyFile(file), { text: 'first', isOpenToOthers: false });
});

test('SEC-08 of many concurrent writers one wins, all others see its complete text, and no temporary file is left', async () => {
  const file = join(folder, 'race', 'a.key');
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const isMine = await createKeyFile(file, `key ${index}`);
      return { isMine, text: await readFile(file, 'utf8'), own: `key ${index}` };
    }),
  );
  const winners = results.filter(({ isMine }) => isMine);
  assert.equal(winners.length, 1);
  for (const { text } of results) assert.equal(text, winners[0]?.own);
  assert.deepEqual(await readdir(join(folder, 'race')), ['a.key']);
});

test('SEC-08 a key file that cannot be written is an error and leaves nothing behind', async () => {
  const inner = join(folder, 'failing');
  await assert.rejects(createKeyFile(join(inner, 'k'.repeat(250)), 'text'), { code: 'ENAMETOOLONG' });
  assert.deepEqual(await readdir(inner), []);
  await writeFile(join(folder, 'plain'), '');
  await assert.rejects(createKeyFile(join(folder, 'plain', 'a.key'), 'text'), { code: 'EEXIST' });
});
