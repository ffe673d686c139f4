import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { StorageFull } from '#kernel/contract/fault.ts';
import { ProcessFolder } from './process-folder.ts';
import { Spool, type SpoolOptions } from './spool.ts';

const root = await mkdtemp(join(tmpdir(), 'parapet-spool-'));
const spools: Spool[] = [];
after(async () => {
  for (const spool of spools) await spool.close();
  await rm(root, { recursive: true, force: true });
});

function newSpool(options: Partial<SpoolOptions> = {}): Spool {
  const diskSpace = { requireSpace: async () => undefined };
  const spool = new Spool({ folder: new ProcessFolder(root), diskSpace, ...options });
  spools.push(spool);
  return spool;
}

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
let readBytes = 0;
async function* megabytes(count: number) {
  for (let index = 0; index < count; index++) {
    readBytes += MEGABYTE.length;
    yield MEGABYTE;
  }
}

const isFull = (error: unknown) => error instanceof StorageFull;
const bodiesIn = async ({ folder }: Spool) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.gz'));

test('a body is read as often as needed, and removed', async () => {
  const spool = newSpool();
  const body = await spool.receive(megabytes(3));
  for (let turn = 0; turn < 2; turn++) {
    const chunks: Buffer[] = [];
    for await (const chunk of body.read()) chunks.push(chunk);
    assert.equal(gunzipSync(Buffer.concat(chunks)).length, 3 * MEGABYTE.length);
  }
  await body.remove();
  assert.deepEqual(await bodiesIn(spool), []);
});

test('without space nothing of a body is read', async () => {
  const requireSpace = () => Promise.reject(new StorageFull('of this test'));
  readBytes = 0;
  await assert.rejects(newSpool({ diskSpace: { requireSpace } }).receive(megabytes(3)), isFull);
  assert.equal(readBytes, 0);
});

test('a body during which the space runs out is refused, and nothing of it remains', async () => {
  let checks = 0;
  const requireSpace = async () => {
    if (++checks > 2) throw new StorageFull('of this test');
  };
  const spool = newSpool({ diskSpace: { requireSpace } });
  readBytes = 0;
  await assert.rejects(spool.receive(megabytes(1000)), isFull);
  assert.ok(readBytes < 100 * MEGABYTE.length, `${readBytes} bytes were read`);
  assert.deepEqual(await bodiesIn(spool), []);
});

test('a write that fails for lack of space is reported as such', { skip: process.platform !== 'linux' }, async () => {
  const spool = newSpool({ createFile: () => createWriteStream('/dev/full') });
  await assert.rejects(spool.receive(megabytes(3)), isFull);
});
