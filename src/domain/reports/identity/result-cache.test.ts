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
    fc.property(words, words, (held, asked) => {
      const rows = held.map((word) => Buffer.concat([digest(word), Buffer.from(word)]));
      const table = new DigestTable(Buffer.concat(rows), DIGEST_BYTES + 1);
      const model = new Set(held);
      for (const word of asked) {
        assert.equal(table.find(digest(word))?.subarray(DIGEST_BYTES).toString(), model.has(word) ? word : undefined);
        assert.equal(table.take(digest(word)), model.delete(word));
      }
    }),
  );
});

test('colliding digests are distinguished, even after one of them was taken', () => {
  const alike = [1, 2, 3].map((number) => Buffer.alloc(DIGEST_BYTES, 7).fill(number, 8));
  const [first, second, third] = alike;
  assert.ok(first && second && third);
  const table = new DigestTable(Buffer.concat([first, second]), DIGEST_BYTES);
  assert.deepEqual(
    [table.take(first), table.take(third), table.take(second), table.take(first)],
    [true, false, true, false],
  );
});

const notedOf = (memory: ResultCache, under: Buffer, bytes: string) => {
  const name = memory.keyOf(under, Buffer.from(bytes));
  memory.add({ key: name, contentDigest: digest(bytes), product: 'sca' });
  return name;
};

test('a cached result is found by its bytes and context, only if the previous scan contained it', () => {
  const first = new ResultCache({ entries: new Uint8Array(), salt: 'one' });
  const under = first.contextDigest('rules');
  notedOf(first, under, 'result');
  notedOf(first, under, 'x'.repeat(100_000));
  const entries = first.serialize();
  assert.ok(entries);
  const known = Buffer.concat([digest('result'), digest('x'.repeat(100_000))]);
  const recall = (memory: ResultCache, bytes: string, rules = 'rules') =>
    memory.find(memory.keyOf(memory.contextDigest(rules), Buffer.from(bytes)))?.product;
  const next = new ResultCache({ previousDigests: known, entries, salt: 'one' });
  assert.deepEqual([recall(next, 'result'), recall(next, 'result')], ['sca', undefined]);
  assert.equal(recall(next, 'x'.repeat(100_000)), 'sca');
  assert.equal(
    recall(new ResultCache({ previousDigests: known, entries, salt: 'one' }), 'result', 'other rules'),
    undefined,
  );
  assert.equal(recall(new ResultCache({ previousDigests: known, entries, salt: 'two' }), 'result'), undefined);
  assert.equal(recall(new ResultCache({ entries, salt: 'one' }), 'result'), undefined);
});

test('nothing is cached above the maximum number of results', () => {
  const memory = new ResultCache({ entries: new Uint8Array() });
  const repeated = { key: digest('name'), contentDigest: digest('said'), product: 'sast' } as const;
  for (let count = 0; count < 250_000; count++) memory.add(repeated);
  assert.equal(memory.serialize()?.length, 250_000 * 33);
  memory.add(repeated);
  assert.equal(memory.serialize(), undefined);
});
