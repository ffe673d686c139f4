import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { fault } from '#kernel/contract/fault.ts';
import { decompress } from './decompress.ts';

const MIB = 1024 * 1024;

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield Buffer.from(bytes.subarray(start, start + size));
}

async function read(upload: AsyncIterable<Buffer>, { coding = 'gzip', limitBytes = MIB } = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of decompress(upload, { coding, limitBytes })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('an upload is decompressed correctly, in chunks of any size', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), fc.integer({ min: 1, max: 600 }), async (bytes, size) => {
      assert.deepEqual(await read(inPieces(gzipSync(bytes), size)), Buffer.from(bytes));
      assert.deepEqual(await read(inPieces(bytes, size), { coding: 'identity' }), Buffer.from(bytes));
    }),
    { numRuns: 50 },
  ));

test('an upload that exceeds the limit is refused at once, not when it is complete (UPL-02)', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * MIB));
  let made = 0;
  await assert.rejects(async () => {
    for await (const chunk of decompress(inPieces(bomb, 1024), { coding: 'gzip', limitBytes: MIB }))
      made += chunk.length;
  }, /larger than 1048576 bytes/);
  assert.ok(made <= MIB);
  await assert.rejects(
    read(inPieces(Buffer.alloc(10), 3), { coding: 'identity', limitBytes: 9 }),
    /larger than 9 bytes/,
  );
});

test('an upload that is not gzip or is truncated is refused', async () => {
  const good = gzipSync(randomBytes(5000));
  const damaged = Buffer.from(good);
  damaged.writeUInt8(damaged.readUInt8(2000) ^ 1, 2000);
  for (const bytes of [Buffer.from('not gzip at all'), good.subarray(0, -5), damaged])
    await assert.rejects(read(inPieces(bytes, 100)), /the body is not gzip/);
});

test('an error of the upload itself is passed on', async () => {
  const GONE = fault('GONE', 400, 'The sender is gone.');
  async function* upload() {
    yield gzipSync('x').subarray(0, 5);
    throw GONE();
  }
  await assert.rejects(read(upload()), /The sender is gone/);
});
