import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { World } from '#test/support/world/world.ts';
import { type AlignmentItem, align } from '../tracking/pairing/align.ts';
import { pairByScope } from '../tracking/pairing/pair-by-scope.ts';

/**
 * Reports that are the worst for a join or a comparison. Where every result is compared with every other one, they take
 * minutes to hours; `npm run bench -- --only worst-reports` measures larger ones.
 */
const SIZE = 2_000;

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const many = (make: (index: number) => ReportedFinding): ReportedFinding[] =>
  Array.from({ length: SIZE }, (_, index) => make(index));

describe('a report', () => {
  test('of a second tool with all results on one line is compared within limits', async () => {
    const scanning = await ProjectScans.start(world);
    const found = () =>
      many((index) =>
        makeReportedFinding({ path: 'a.js', line: 1, code: `f${index}()`, more: { cwes: ['CWE-79', 'CWE-95'] } }),
      );
    await scanning.scan(found(), { tool: 'one' });
    const { opened } = await scanning.scan(found(), { tool: 'two' });
    assert.equal(opened, SIZE);
  });

  test('with one code in one file and new surroundings everywhere keeps its findings', async () => {
    const scanning = await ProjectScans.start(world);
    const found = (round: number) =>
      many((index) =>
        makeReportedFinding({ path: 'a.js', line: index + 1, code: 'f()', context: `${index} of ${round}` }),
      );
    await scanning.scan(found(1));
    const { opened, fixed } = await scanning.scan(found(2));
    assert.deepEqual({ opened, fixed }, { opened: 0, fixed: 0 });
  });

  test('with one fingerprint in every file finds renamed files by their names', async () => {
    const scanning = await ProjectScans.start(world);
    const found = (folder: string) =>
      many((index) => makeReportedFinding({ path: `${folder}/${index}.js`, line: 1, code: 'f()' }));
    await scanning.scan(found('old'));
    const { opened, moved } = await scanning.scan(found('new'));
    assert.deepEqual({ opened, moved }, { opened: 0, moved: SIZE });
  });

  test('that repeats one secret has one finding', async () => {
    const scanning = await ProjectScans.start(world);
    const secret = { type: 'token', value: 'one and the same' };
    const found = () =>
      many((index) =>
        makeReportedFinding({ path: `${index}.js`, line: 1, code: 'k', more: { product: 'secrets', secret } }),
      );
    assert.equal((await scanning.scan(found())).opened, 1);
    const { opened, fixed } = await scanning.scan(found().toReversed());
    assert.deepEqual({ opened, fixed }, { opened: 0, fixed: 0 });
  });

  test('that gives one result the same fingerprint twice keeps the result', async () => {
    const scanning = await ProjectScans.start(world);
    const fingerprint = { kind: 5, digest: '0b6d5d3e-0000-4000-8000-000000000001' };
    const more = { product: 'secrets' as const, knownFingerprints: [fingerprint, fingerprint] };
    const found = [makeReportedFinding({ path: 'a.js', line: 1, code: 'k', more })];
    assert.equal((await scanning.scan(found)).opened, 1);
  });

  test('whose code was replaced within one scope is compared within limits', async () => {
    const scanning = await ProjectScans.start(world);
    const found = (word: string) =>
      many((index) =>
        makeReportedFinding({
          path: 'a.js',
          line: index + 1,
          code: `${word} ${word}${index}`,
          more: { scope: 'main' },
        }),
      );
    await scanning.scan(found('before'));
    const { opened, fixed } = await scanning.scan(found('after'));
    assert.deepEqual({ opened, fixed }, { opened: SIZE, fixed: SIZE });
  });
});

describe('a comparison of one hundred thousand results', () => {
  const items = (word: string): AlignmentItem[] =>
    Array.from({ length: 100_000 }, (_, index) => ({ label: 'same', line: index, text: `${word} ${index}` }));

  test('with the same fingerprint pairs them in order', () => {
    assert.equal(align(items('before'), items('after')).length, 100_000);
  });

  test('in the same scope ends', () => {
    const scoped = (word: string) => items(word).map((item) => ({ ...item, scope: 'main', offset: 0 }));
    assert.deepEqual(pairByScope(scoped('before'), scoped('after')), []);
  });
});
