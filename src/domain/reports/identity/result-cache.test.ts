import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { DIGEST_BYTES, DigestTable } from './digest-table.ts';
import { ResultCache } from './result-cache.ts';

const digest = (text: string) => hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES);
const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));

test('a digest table behaves like a set, and takes each digest once', () => {
  fc.assert(
    fc.property(words, words, (stored, queried) => {
      const rows = stored.map((word) => Buffer.concat([digest(word), Buffer.from(word)]));
      const table = new DigestTable(Buffer.concat(rows), DIGEST_BYTES + 1);
      const model = new Set(stored);
      for (const word of queried) {
        assert.equal(table.find(digest(word))?.subarray(DIGEST_BYTES).toString(), model.has(word) ? word : undefined);
        assert.equal(table.take(digest(word)), model.delete(word));
      }
    }),
  );
});

test('colliding digests are distinguished, even after one of them was taken', () => {
  const colliding = [1, 2, 3].map((number) => Buffer.alloc(DIGEST_BYTES, 7).fill(number, 8));
  const [first, second, third] = colliding;
  assert.ok(first && second && third);
  const table = new DigestTable(Buffer.concat([first, second]), DIGEST_BYTES);
  assert.deepEqual(
    [table.take(first), table.take(third), table.take(second), table.take(first)],
    [true, false, true, false],
  );
});

const addResult = (cache: ResultCache, context: Buffer, bytes: string) => {
  const key = cache.keyOf(context, Buffer.from(bytes));
  cache.add({ key, contentDigest: digest(bytes), product: 'sca' });
  return key;
};

test('a cached result is found by its bytes and context, only if the previous scan contained it', () => {
  const first = new ResultCache({ entries: new Uint8Array(), salt: 'one' });
  const context = first.contextDigest('rules');
  addResult(first, context, 'result');
  addResult(first, context, 'x'.repeat(100_000));
  const entries = first.serialize();
  assert.ok(entries);
  const previousDigests = Buffer.concat([digest('result'), digest('x'.repeat(100_000))]);
  const productOf = (cache: ResultCache, bytes: string, rules = 'rules') =>
    cache.find(cache.keyOf(cache.contextDigest(rules), Buffer.from(bytes)))?.product;
  const next = new ResultCache({ previousDigests, entries, salt: 'one' });
  assert.deepEqual([productOf(next, 'result'), productOf(next, 'result')], ['sca', undefined]);
  assert.equal(productOf(next, 'x'.repeat(100_000)), 'sca');
  assert.equal(
    productOf(new ResultCache({ previousDigests, entries, salt: 'one' }), 'result', 'other rules'),
    undefined,
  );
  assert.equal(productOf(new ResultCache({ previousDigests, entries, salt: 'two' }), 'result'), undefined);
  assert.equal(productOf(new ResultCache({ entries, salt: 'one' }), 'result'), undefined);
});

test('nothing is cached above the maximum number of results', () => {
  const cache = new ResultCache({ entries: new Uint8Array() });
  const result = { key: digest('key'), contentDigest: digest('content'), product: 'sast' } as const;
  for (let count = 0; count < 250_000; count++) cache.add(result);
  assert.equal(cache.serialize()?.length, 250_000 * 33);
  cache.add(result);
  assert.equal(cache.serialize(), undefined);
});
