import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { operations } from '#test/support/http/operations.ts';
import { nameKey, numberedSlug, slugOf } from './rules.ts';

test('slugs are idempotent, safe in URLs, at most 64 long and never look like an id (AZN-07)', () => {
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

test('diacritics are removed from letters', () => {
  assert.equal(slugOf('Söhne & Töchter'), 'sohne-tochter');
});

test('a reserved path segment never becomes a slug', () => {
  for (const word of ['current', 'CURRENT', 'scans', 'providers', 'ｃｕｒｒｅｎｔ'])
    assert.equal(slugOf(word).endsWith('-1'), true, word);
});

test('no literal path segment in the position of a deployment can become a slug (AZN-07)', () => {
  const templates = operations.map(({ bound }) => bound.operation.template);
  const places = new Set(templates.flatMap((template) => /^(.*\/)\{deployment\w*\}/.exec(template)?.[1] ?? []));
  const literals = templates.flatMap((template) =>
    [...places]
      .filter((place) => template.startsWith(place))
      .map((place) => template.slice(place.length).split('/')[0] ?? '')
      .filter((segment) => segment !== '' && !segment.startsWith('{')),
  );
  assert.ok(places.size > 0);
  for (const literal of [...literals, 'deployments']) assert.notEqual(slugOf(literal), literal);
});

test('numbered slugs of one name differ and are valid slugs', () => {
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
