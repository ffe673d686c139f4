import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameKey, numberedSlug, slugOf } from './rules.ts';

test('a slug is its own slug, safe in a URL, at most 64 long and never taken for an id (AZN-07)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
      const slug = slugOf(name);
      assert.equal(slugOf(slug), slug);
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.ok(slug.length <= 64);
      assert.doesNotMatch(slug, /^\d+$/);
    }),
  );
});

test('letters keep their base, whatever marks they carry', () => {
  assert.equal(slugOf('Söhne & Töchter'), 'sohne-tochter');
});

test('a reserved word of the paths never becomes a slug', () => {
  for (const word of ['current', 'CURRENT', 'scans', 'providers', 'ｃｕｒｒｅｎｔ'])
    assert.equal(slugOf(word).endsWith('-1'), true, word);
});

test('numbered slugs of one name differ and stay slugs', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 9999 }), (name, n) => {
      const slug = numberedSlug(slugOf(name), n);
      assert.ok(slug.length <= 64);
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.notEqual(numberedSlug(slugOf(name), n + 1), slug);
    }),
  );
});

test('names that differ in case, width or composition have one key', () => {
  assert.equal(nameKey('Zoë'), nameKey('ZOE\u0308'));
  assert.equal(nameKey('ＡＢＣ '), nameKey('abc'));
});
