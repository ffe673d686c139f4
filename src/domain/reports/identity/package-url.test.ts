import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatPurl, type Purl, packageOf, parsePurl } from './package-url.ts';

const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const segment = part.filter((one) => one !== '.' && one !== '..');
const path = fc
  .array(
    segment.map((one) => one.replaceAll('/', '_')),
    { minLength: 1, maxLength: 3 },
  )
  .map((all) => all.join('/'));
const purl = fc.record(
  {
    type: fc.stringMatching(/^[a-z][a-z\d.+-]{0,8}$/),
    namespace: path,
    name: segment,
    version: part,
    qualifiers: fc.dictionary(fc.stringMatching(/^[a-z][a-z\d._-]{0,8}$/), part, {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
    }),
    subpath: path,
  },
  { requiredKeys: ['type', 'name'], noNullPrototype: true },
);

test('package URLs round-trip', () => {
  fc.assert(fc.property(purl, (value) => assert.deepEqual(parsePurl(formatPurl(value as Purl)), value)));
});

test('the canonical form is stable', () => {
  fc.assert(
    fc.property(
      fc.string().map((rest) => `pkg:npm/${rest}`),
      (text) => {
        const first = parsePurl(text);
        if (first) assert.deepEqual(parsePurl(formatPurl(first)), first);
      },
    ),
  );
});

test('the parser never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void parsePurl(`pkg:${text}`)));
});

test('real-world package URLs are parsed', () => {
  const known: [string, ReturnType<typeof packageOf> | undefined][] = [
    ['pkg:npm/%40angular/core@12.3.1', { ecosystem: 'npm', package: '@angular/core', version: '12.3.1' }],
    ['pkg:npm/@angular/core@12.3.1', { ecosystem: 'npm', package: '@angular/core', version: '12.3.1' }],
    ['pkg:npm/@scope/name', { ecosystem: 'npm', package: '@scope/name', version: '' }],
    ['pkg:golang/github.com/a/b@v1.2.3#sub/dir', { ecosystem: 'gomod', package: 'github.com/a/b', version: 'v1.2.3' }],
    ['pkg:golang/google.golang.org/api@v1', { ecosystem: 'gomod', package: 'google.golang.org/api', version: 'v1' }],
    [
      'pkg:maven/org.apache/commons@1.0?type=jar',
      { ecosystem: 'maven', package: 'org.apache:commons', version: '1.0' },
    ],
    [
      'pkg:deb/debian/curl@7.50.3-1%2Bb1?arch=i386',
      { ecosystem: 'deb', package: 'debian/curl', version: '7.50.3-1+b1' },
    ],
    ['PKG:PyPI/Django@1.11', { ecosystem: 'pypi', package: 'Django', version: '1.11' }],
    ['pkg://gem/rails@5', { ecosystem: 'gem', package: 'rails', version: '5' }],
    ['pkg:npm', undefined],
    ['pkg:npm/', undefined],
    ['http://example.test', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of known) {
    const parsed = parsePurl(text);
    assert.deepEqual(parsed && packageOf(parsed), expected, text);
  }
});
