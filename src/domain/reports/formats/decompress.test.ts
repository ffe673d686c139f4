import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { inChunks, parseReport } from '#test/support/reports/report-fixtures.ts';
import { decompress } from './decompress.ts';
import { DEFAULT_REPORT_LIMITS, type ReportLimits } from './report-limits.ts';

async function unpack(bytes: Buffer, limits: Partial<ReportLimits> = {}, size = 1000): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of decompress(inChunks(bytes, size), { ...DEFAULT_REPORT_LIMITS, ...limits }))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('plain bytes and gzip round-trip, however they are split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 4000 }), async (array, size) => {
      const bytes = Buffer.from(array);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      if (!isPacked) assert.deepEqual(await unpack(bytes, {}, size), bytes);
      assert.deepEqual(await unpack(gzipSync(bytes), {}, size), bytes);
    }),
    { numRuns: 60 },
  );
});

test('UPL-02: a decompression bomb is rejected by its ratio before it is fully decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
  const start = process.memoryUsage().rss;
  await assert.rejects(unpack(bomb, { ratioFreeBytes: 2 ** 20 }), { name: 'ReportProblem', code: 'TOO_LARGE' });
  assert.ok(process.memoryUsage().rss - start < 64 * 2 ** 20);
});

test('UPL-02: too many bytes are rejected, compressed or not', async () => {
  await assert.rejects(unpack(Buffer.alloc(2000, 'x'), { maxBytes: 1999 }), { code: 'TOO_LARGE' });
  await assert.rejects(unpack(gzipSync(Buffer.alloc(2000, 'x')), { maxBytes: 1999 }), { code: 'TOO_LARGE' });
  assert.equal((await unpack(gzipSync(Buffer.alloc(2000, 'x')), { maxBytes: 2000 })).length, 2000);
});

test('UPL-02: a second member, truncation, corruption and trailing bytes are rejected', async () => {
  const one = gzipSync('{"runs":[]}');
  const changed = Buffer.from(one);
  changed.writeUInt8(changed.readUInt8(15) ^ 0xff, 15);
  for (const bytes of [
    Buffer.concat([one, gzipSync('more')]),
    one.subarray(0, -5),
    changed,
    Buffer.concat([one, Buffer.from('x')]),
  ]) {
    await assert.rejects(unpack(bytes), { name: 'ReportProblem', code: 'NOT_UNPACKED' });
  }
});

test('UPL-02: nested gzip, zip and brotli are rejected', async () => {
  const inner = gzipSync('{"runs":[]}');
  await assert.rejects(parseReport(gzipSync(inner)), /gzip inside of gzip/);
  await assert.rejects(parseReport(Buffer.from('PK\x03\x04rest')), /a zip archive/);
  await assert.rejects(parseReport(brotliCompressSync('{"runs":[]}'.repeat(99))), { code: 'UNKNOWN_FORMAT' });
});

test('a compressed report is read like a plain one', async () => {
  const report = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[]}]}';
  assert.deepEqual(await parseReport(gzipSync(report)), await parseReport(report));
});

test('a failing source gives its own error, not one about gzip', async () => {
  async function* failing() {
    yield gzipSync('x'.repeat(1000)).subarray(0, 12);
    throw new Error('disk gone');
  }
  const read = async () => {
    for await (const _chunk of decompress(failing(), DEFAULT_REPORT_LIMITS));
  };
  await assert.rejects(read(), /disk gone/);
});
