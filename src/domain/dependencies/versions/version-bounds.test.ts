import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { boundsPredicate, parseLowerBound, parseUpperBound, versionOrderOf } from './version-bounds.ts';

/** Versions in ascending order; those in one list are equal. */
const LADDERS: Record<string, string[][]> = {
  npm: [
    ['1.0.0-alpha'],
    ['1.0.0-alpha.1'],
    ['1.0.0-alpha.beta'],
    ['1.0.0-beta.2'],
    ['1.0.0-beta.11'],
    ['1.0.0-rc.1'],
    ['1', '1.0.0', 'v1.0.0', '1.0.0+build.5'],
    ['1.0.9'],
    ['1.0.10'],
    ['10.0.0'],
  ],
  gomod: [
    ['v0.0.0-20190101000000-abcdefabcdef'],
    ['v0.0.0-20200101000000-000000000000'],
    ['v0.1.0'],
    ['v2.0.0+incompatible'],
  ],
  pypi: [
    ['1.0.dev1'],
    ['1.0a1.dev2'],
    ['1.0a1', '1.0.alpha1', '1.0-a.1'],
    ['1.0a2'],
    ['1.0b1', '1.0beta1'],
    ['1.0rc1', '1.0c1', '1.0-pre1'],
    ['1', '1.0', '1.0.0', 'v1.0'],
    ['1.0+abc'],
    ['1.0+abc.5'],
    ['1.0+5'],
    ['1.0.post1.dev1'],
    ['1.0.post1', '1.0-1', '1.0-r1'],
    ['1.0.1'],
    ['1.10'],
    ['1!0.1'],
  ],
  maven: [
    ['1-alpha-1', '1.0-a1', '1-alpha1'],
    ['1-beta-1'],
    ['1-milestone-2', '1.0.0-m2'],
    ['1-rc1', '1-cr1'],
    ['1-SNAPSHOT'],
    ['1', '1.0', '1.0.0', '1-ga', '1.0.Final', '1.0.0.RELEASE'],
    ['1-sp'],
    ['1-sp-1'],
    ['1-abc'],
    ['1-1'],
    ['1.0.1'],
    ['1.1'],
    ['1.2-beta'],
    ['1.2'],
    ['1.10'],
  ],
  gem: [
    ['1.0.a'],
    ['1.0.a.2'],
    ['1.0.b1'],
    ['1.0.pre'],
    ['1.0.rc1'],
    ['1', '1.0', '1.0.0'],
    ['1.0.1'],
    ['1.9'],
    ['1.10'],
  ],
  nuget: [
    ['1.0.0-1'],
    ['1.0.0-10'],
    ['1.0.0-alpha', '1.0-ALPHA+x'],
    ['1.0.0-alpha.1'],
    ['1.0.0-beta'],
    ['1.0', '1.0.0', '1.0.0.0'],
    ['1.0.0.1'],
    ['1.0.1'],
  ],
  composer: [
    ['1.0.0-dev'],
    ['1.0.0-alpha1', '1.0-a1'],
    ['1.0.0-beta2'],
    ['1.0.0-RC1'],
    ['1.0.0-RC2'],
    ['1.0', 'v1.0.0', '1.0.0.0', '1.0.0-stable'],
    ['1.0.0-p1', '1.0.0-patch1'],
    ['1.0.1'],
    ['1.10.0'],
  ],
  opam: [['1.0~beta'], ['1.0'], ['1.0a'], ['1.0.1'], ['1.9'], ['1.10']],
};

const number = fc.nat(11).map(String);
const word = fc.constantFrom(
  ...['a', 'alpha', 'b', 'beta', 'rc', 'cr', 'm', 'milestone', 'snapshot', 'ga', 'final', 'sp', 'dev', 'post', 'pre'],
  ...['p', 'pl', 'stable', 'x', 'abc', 'r', 'RC', 'Alpha', '00', '01'],
);
const version = fc
  .tuple(
    number,
    fc.array(fc.tuple(fc.constantFrom('.', '-', '', '_', '+', '~'), fc.oneof(number, word)), { maxLength: 4 }),
  )
  .map(([first, rest]) => first + rest.map(([separator, part]) => separator + part).join(''));

for (const [ecosystem, ladder] of Object.entries(LADDERS))
  describe(`versions of ${ecosystem}`, () => {
    const { compare } = versionOrderOf(ecosystem);

    test('are ordered as by the tools of the ecosystem', () => {
      for (const [at, equals] of ladder.entries())
        for (const one of equals) {
          for (const same of equals) assert.equal(compare(one, same), 0, `${one} = ${same}`);
          for (const later of ladder.slice(at + 1).flat()) {
            assert.ok((compare(one, later) ?? 0) < 0, `${one} < ${later}`);
            assert.ok((compare(later, one) ?? 0) > 0, `${later} > ${one}`);
          }
        }
    });

    test('are totally ordered: reflexive, antisymmetric and transitive', () => {
      fc.assert(
        fc.property(version, version, version, (one, two, three) => {
          const signs = [compare(one, two), compare(two, three), compare(one, three)].map((sign) =>
            Math.sign(sign ?? NaN),
          );
          const [ab = NaN, bc = NaN, ac = NaN] = signs;
          if (compare(one, one) !== undefined) assert.equal(compare(one, one), 0);
          if (!Number.isNaN(ab)) assert.equal(Math.sign(compare(two, one) ?? NaN) + ab, 0);
          if (ab <= 0 && bc <= 0) assert.ok(ac <= 0, `${one} <= ${two} <= ${three}`);
          if (ab === 0 && bc < 0) assert.ok(ac < 0, `${one} = ${two} < ${three}`);
          if (ab < 0 && bc === 0) assert.ok(ac < 0, `${one} < ${two} = ${three}`);
        }),
        { numRuns: 3000 },
      );
    });

    test('any text is parsed or rejected quickly and without an error', () => {
      fc.assert(
        fc.property(fc.string({ maxLength: 300 }), (text) => {
          const own = compare(text, text);
          assert.ok(own === undefined || own === 0);
        }),
      );
      for (const evil of ['1'.repeat(250), `1${'.1'.repeat(120)}`, `1${'-a'.repeat(120)}x!`, `1${'.0'.repeat(120)}-`])
        compare(evil, evil);
    });
  });

test('bounds are parsed with and without an operator, and only in their own direction', () => {
  assert.deepEqual(parseLowerBound('>=1.0.0'), { operator: '>=', version: '1.0.0' });
  assert.deepEqual(parseLowerBound('> 1.0'), { operator: '>', version: '1.0' });
  assert.deepEqual(parseLowerBound('1.0'), { operator: '>=', version: '1.0' });
  assert.deepEqual(parseUpperBound('<2.0.0'), { operator: '<', version: '2.0.0' });
  assert.deepEqual(parseUpperBound('2.0.0'), { operator: '<=', version: '2.0.0' });
  for (const wrong of ['<1', '', '>=', '>=1 <2', '^1', '1||2']) assert.equal(parseLowerBound(wrong), undefined, wrong);
});

test('a range contains the versions between its bounds, and no other text', () => {
  const holds = boundsPredicate('npm', [
    { operator: '>=', version: '1.2.0' },
    { operator: '<', version: '2' },
  ]);
  assert.deepEqual(['1.1.9', '1.2.0', '1.10.0', '2.0.0-rc.1', '2.0.0', 'latest', 'git+https://x'].map(holds), [
    false,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.equal(boundsPredicate('npm', [{ operator: '>=', version: 'abc' }])('1.0.0'), false);
});
