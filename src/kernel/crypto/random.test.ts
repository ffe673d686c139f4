import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshBytes } from './random.ts';

test('no byte is returned twice, and the length is the requested one (SEC-06)', () => {
  const handed = Array.from({ length: 2000 }, (_, index) => freshBytes(16 + (index % 17)));
  assert.ok(handed.every((bytes, index) => bytes.length === 16 + (index % 17)));
  assert.equal(new Set(handed.map((bytes) => bytes.toString('hex').slice(0, 32))).size, handed.length);
  const places = handed.map((bytes) => ({
    buffer: bytes.buffer,
    start: bytes.byteOffset,
    end: bytes.byteOffset + bytes.length,
  }));
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    assert.ok(next === undefined || next.buffer !== place.buffer || next.start >= place.end || next.end <= place.start);
  }
  assert.equal(freshBytes(10_000).length, 10_000);
  assert.equal(freshBytes(0).length, 0);
});
