import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOutside, normalisePath, PathStatistics, pathOfUri, withoutRoot } from './report-paths.ts';

test("all kinds of paths are normalised to git's form", () => {
  const paths: [string, string][] = [
    ['src/a.js', 'src/a.js'],
    ['./src//a.js', 'src/a.js'],
    ['.\\src\\a.js', 'src/a.js'],
    ['src/./b/../a.js', 'src/a.js'],
    ['c:\\x\\a.js', 'C:/x/a.js'],
    ['C:/x/a.js', 'C:/x/a.js'],
    ['file:///C:/x/a.js', 'C:/x/a.js'],
    ['file:///repo/a%20b.js', '/repo/a b.js'],
    ['file://localhost/repo/a.js', '/repo/a.js'],
    ['file:/repo/a.js', '/repo/a.js'],
    ['/repo/../../a.js', '/a.js'],
    ['../a.js', '../a.js'],
    ['a/../../b', '../b'],
    ['odd\\name/a.js', 'odd\\name/a.js'],
    ['.', ''],
    ['', ''],
    ['a%20b.js', 'a%20b.js'],
  ];
  for (const [given, expected] of paths) assert.equal(normalisePath(given), expected, given);
  assert.equal(pathOfUri('src/a%20b%23.js'), 'src/a b#.js');
  assert.equal(pathOfUri('src/100%.js'), 'src/100%.js');
});

test('a normalised path does not change', () => {
  const name = fc.oneof(fc.constantFrom('.', '..', '', 'a', 'C:', 'b c'), fc.string({ maxLength: 5 }));
  const path = fc.tuple(fc.constantFrom('', '/', './', 'C:/', '../'), fc.array(name, { maxLength: 6 }));
  fc.assert(
    fc.property(path, ([start, names]) => {
      const normalised = normalisePath(start + names.filter((one) => !/[\\:%]/.test(one)).join('/'));
      assert.equal(normalisePath(normalised), normalised);
      assert.doesNotMatch(normalised, /(^|\/)\.(\/|$)|\/\//);
      if (!isOutside(normalised)) assert.doesNotMatch(normalised, /(^|\/)\.\.(\/|$)/);
    }),
  );
});

test('the root is stripped: the given one, or that of a well-known runner', () => {
  const roots: [path: string, root: string | undefined, expected: string][] = [
    ['/x/y/src/a.js', '/x/y', 'src/a.js'],
    ['/x/y/src/a.js', '/x/y/', 'src/a.js'],
    ['/x/yz/a.js', '/x/y', '/x/yz/a.js'],
    ['/__w/app/app/src/a.js', undefined, 'src/a.js'],
    ['/__w/app/other/src/a.js', undefined, '/__w/app/other/src/a.js'],
    ['/builds/group/project/a.js', undefined, 'a.js'],
    ['/github/workspace/a.js', undefined, 'a.js'],
    ['D:/a/app/app/src/a.cs', undefined, 'src/a.cs'],
    ['/x/app/a.js', undefined, '/x/app/a.js'],
    ['src/a.js', '/x', 'src/a.js'],
    ['repo/src/a.js', 'repo', 'src/a.js'],
  ];
  for (const [path, root, expected] of roots) assert.equal(withoutRoot(path, root), expected);
});

test('absolute paths, mixed paths and paths outside of the repository give warnings', () => {
  const statisticsOf = (...paths: string[]) => {
    const statistics = new PathStatistics();
    for (const path of paths) statistics.add(path);
    return statistics;
  };
  assert.deepEqual(statisticsOf('a.js', 'b/c.js').warnings(), []);
  const absolute = statisticsOf('/x/app/src/a.js', '/x/app/b.js');
  assert.equal(absolute.commonRoot, '/x/app');
  assert.match(absolute.warnings().join(), /^All paths are absolute \(\/x\/app\)/);
  assert.match(statisticsOf('/x/a.js', 'b.js').warnings().join(), /^1 paths are absolute \(\/x\) and 1 are not/);
  assert.equal(statisticsOf('/a/x.js', '/b/y.js').commonRoot, undefined);
  assert.match(statisticsOf('../../etc/passwd').warnings().join(), /^1 paths lead out of the repository/);
});
