import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestIdOf } from '#kernel/http/edge/request-id.ts';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

test('a well-formed id of the caller is kept', () => {
  fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/), (id) => assert.equal(requestIdOf(id), id)));
});

test('any other header results in a new ULID', () => {
  const bad = [
    '',
    'short12',
    'a'.repeat(65),
    'with space',
    'line\nbreak',
    'abcdefgh\n',
    '\nabcdefgh',
    'abcdéfgh',
    'a.b.c.d.e',
  ];
  for (const header of [undefined, ...bad]) assert.match(requestIdOf(header), ULID);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      fc.pre(!/^[A-Za-z0-9_-]{8,64}$/.test(header));
      assert.match(requestIdOf(header), ULID);
    }),
  );
});

test('a ULID starts with the time it was made, so ids sort by time', () => {
  assert.equal(requestIdOf(undefined, () => 0).slice(0, 10), '0000000000');
  assert.equal(requestIdOf(undefined, () => 1_469_918_176_385).slice(0, 10), '01ARYZ6S41');
  assert.equal(requestIdOf(undefined, () => 2 ** 48 - 1).slice(0, 10), '7ZZZZZZZZZ');
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (startMs, laterMs) => {
      assert.ok(requestIdOf(undefined, () => startMs) < requestIdOf(undefined, () => startMs + laterMs));
    }),
  );
});

test('ids made in the same millisecond differ', () => {
  const ids = Array.from({ length: 10_000 }, () => requestIdOf(undefined, () => 1));
  assert.equal(new Set(ids).size, ids.length);
});
