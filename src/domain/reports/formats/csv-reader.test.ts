import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CsvReader } from './csv-reader.ts';

function rowsOf(csv: string, size: number, { maxValueBytes = 100_000, required = [] as string[] } = {}) {
  const reader = new CsvReader(required, { maxValueBytes });
  const bytes = Buffer.from(csv);
  const found = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...reader.push(bytes.subarray(at, at + size)));
  return [...found, ...reader.finish()];
}

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;

test('CSV round-trips, however it is split into chunks', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'é', '😀', ' '), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(field, field)), fc.integer({ min: 1, max: 20 }), (rows, size) => {
      const csv = ['x,y', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
      assert.deepEqual(
        rowsOf(csv, size),
        rows.map(([x, y]) => ({ x, y })),
      );
    }),
  );
});

test('unquoted fields, missing fields and a last line without a newline are read', () => {
  assert.deepEqual(rowsOf('a,b\n1,"2, 3"\n\n4', 3), [
    { a: '1', b: '2, 3' },
    { a: '4', b: '' },
  ]);
});

test('a table with other columns, or an empty file, is rejected', () => {
  assert.throws(() => rowsOf('a,b\n1,2', 3, { required: ['b', 'c'] }), { code: 'NOT_VALID', message: /columns c\./ });
  assert.throws(() => rowsOf('\n\n', 3), { code: 'NOT_VALID' });
});

test('an unterminated quote and an overlong row are rejected', () => {
  assert.throws(() => rowsOf('a\n"1', 3), { code: 'NOT_VALID' });
  assert.throws(() => rowsOf(`a\n"${'x'.repeat(2000)}`, 100, { maxValueBytes: 1000 }), { code: 'TOO_LARGE' });
});
