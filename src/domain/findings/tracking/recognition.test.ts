import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { ReportedFinding } from '#domain/reports/report-items.ts';
import { ProjectScans, scanText } from '#test/support/factories/project-scans.ts';
import { World } from '#test/support/world/world.ts';
import { type AlignmentItem, align } from './pairing/align.ts';
import { LineShifts } from './pairing/line-shifts.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const RULES = ['eval', 'exec', 'open'];
const scanOf = (lines: readonly string[], path = 'src/app.js') => scanText(path, lines.join('\n'), RULES);
const withoutContext = (findings: readonly ReportedFinding[]) => findings.map(({ context: _, ...finding }) => finding);
const withoutCode = (findings: readonly ReportedFinding[]) =>
  withoutContext(findings).map(({ code: _, ...finding }) => finding);

/** The line and path of each open finding, by id. */
async function openById(scanning: ProjectScans): Promise<Record<string, string>> {
  const open = (await scanning.findings()).filter(({ status }) => status === 'open');
  return Object.fromEntries(open.map(({ id, path, line }) => [id, `${path}:${line}`]));
}

/** What became of the findings of one line after a second scan. */
async function linesAfter(first: readonly ReportedFinding[], second: readonly ReportedFinding[]) {
  const scanning = await ProjectScans.start(world);
  await scanning.scan(first);
  const old = await openById(scanning);
  const { opened, fixed } = await scanning.scan(second);
  const current = await openById(scanning);
  const moves = Object.entries(old).map(([id, place]) => `${place} → ${current[id] ?? 'gone'}`);
  return { opened, fixed, moves: moves.toSorted() };
}

describe('results without surroundings', () => {
  const lines = ['eval(a)', 'one()', 'eval(a)', 'two()', 'eval(a)', 'three()'];

  for (const [name, strip] of [
    ['without surroundings', withoutContext],
    ['without any code', withoutCode],
  ] as const) {
    test(`move with the lines above them, even if another one was there before (${name})`, async () => {
      const shifted = ['zero()', 'zero()', ...lines];
      assert.deepEqual(await linesAfter(strip(scanOf(lines)), strip(scanOf(shifted))), {
        opened: 0,
        fixed: 0,
        moves: ['src/app.js:1 → src/app.js:3', 'src/app.js:3 → src/app.js:5', 'src/app.js:5 → src/app.js:7'],
      });
    });

    test(`are fixed where their lines were deleted, and the others move up (${name})`, async () => {
      const { opened, fixed, moves } = await linesAfter(
        strip(scanOf([...lines, 'exec(b)'])),
        strip(scanOf([...lines.slice(2), 'exec(b)'])),
      );
      assert.deepEqual([opened, fixed], [0, 1]);
      assert.deepEqual(moves, [
        'src/app.js:1 → gone',
        'src/app.js:3 → src/app.js:1',
        'src/app.js:5 → src/app.js:3',
        'src/app.js:7 → src/app.js:5',
      ]);
    });
  }
});

describe('a renamed file', () => {
  const old = ['eval(a)', 'exec(b)', 'open(c)'];

  test('that also grew is recognized by the results it contains', async () => {
    const grown = [...old, 'eval(d)', 'exec(e)', 'open(f)', 'eval(g)', 'exec(h)', 'open(i)'];
    const { opened, fixed } = await linesAfter(scanOf(old, 'src/old.js'), scanOf(grown, 'lib/new.js'));
    assert.deepEqual([opened, fixed], [6, 0]);
  });

  test('that was edited is recognized by its name', async () => {
    const edited = ['eval(a)', 'exec(other)', 'open(c)', 'eval(x)'];
    const { opened, fixed } = await linesAfter(scanOf(old, 'src/page.js'), scanOf(edited, 'lib/page.js'));
    assert.deepEqual([opened, fixed], [2, 1]);
  });

  test('is told from its twin by the names of folders', async () => {
    const twins = (root: string) => ['left', 'right'].flatMap((side) => scanOf(old, `${root}/${side}/index.js`));
    const { moves } = await linesAfter(twins('src'), twins('packages/core'));
    assert.deepEqual(
      moves,
      ['left', 'right'].flatMap((side) =>
        [1, 2, 3].map((line) => `src/${side}/index.js:${line} → packages/core/${side}/index.js:${line}`),
      ),
    );
  });

  test('is not confused with a new file that shares one common line', async () => {
    const stays = scanOf(['eval(a)'], 'src/stays.js');
    const { opened, fixed } = await linesAfter(
      [...scanOf(['eval(a)', 'exec(b)', 'open(c)', 'open(d)'], 'src/old.js'), ...stays],
      [...scanOf(['eval(a)', 'exec(x)', 'exec(y)', 'exec(z)'], 'lib/unrelated.js'), ...stays],
    );
    assert.deepEqual([opened, fixed], [4, 4]);
  });
});

describe('an edited line', () => {
  const lines = ['first(1)', 'second(2)', "eval('select ' + name, user)", 'third(3)', 'fourth(4)'];
  const edited = (line: string) => lines.toSpliced(2, 1, line);

  for (const line of [
    'eval("select " + name, user)',
    "eval('select ' + name,  user)",
    "eval('select ' + name, person)",
  ])
    test(`is the same finding: ${line}`, async () => {
      assert.deepEqual(await linesAfter(scanOf(lines), scanOf(edited(line))), {
        opened: 0,
        fixed: 0,
        moves: ['src/app.js:3 → src/app.js:3'],
      });
    });

  test('is another finding if its surroundings are different too', async () => {
    const elsewhere = ['a()', 'b()', 'c()', 'd()', 'e()', "eval('select ' + name, person)", 'f()', 'g()'];
    const { opened, fixed } = await linesAfter(scanOf(lines), scanOf(elsewhere));
    assert.deepEqual([opened, fixed], [1, 1]);
  });

  test('is another finding if its code is different', async () => {
    const { opened, fixed } = await linesAfter(scanOf(lines), scanOf(edited('eval(compile(template))')));
    assert.deepEqual([opened, fixed], [1, 1]);
  });
});

test('a coarse fingerprint of a tool does not reopen a fixed finding of different code', async () => {
  const scanning = await ProjectScans.start(world);
  const coarse = (findings: ReportedFinding[]) =>
    findings.map((finding) => ({ ...finding, fingerprints: { rule: finding.rule } }));
  const other = scanOf(['exec(b)'], 'src/other.js');
  await scanning.scan([...coarse(scanOf(['eval(request.body)', 'done()'])), ...other]);
  await scanning.scan(other);
  const { opened, reopened } = await scanning.scan([...coarse(scanOf(['x()', 'y()', 'eval(config, 42)'])), ...other]);
  assert.deepEqual([opened, reopened], [1, 0]);
});

describe('an alignment', () => {
  const item = fc.record({ label: fc.constantFrom('a', 'b'), gap: fc.integer({ min: 0, max: 9 }) });
  const itemsOf = (gaps: { label: string; gap: number }[]): AlignmentItem[] => {
    let line = 0;
    return gaps.map(({ label, gap }) => {
      line += gap;
      return { label, line, text: '' };
    });
  };
  const files = fc.array(item, { minLength: 1, maxLength: 30 }).map(itemsOf);

  test('pairs all items of a file that moved as a whole', () => {
    fc.assert(
      fc.property(files, fc.nat(50), (before, shift) => {
        const moved = before.map((one) => ({ ...one, line: one.line + shift }));
        assert.deepEqual(
          align(before, moved),
          before.map((_, index) => [index, index]),
        );
      }),
    );
  });

  test('pairs items of equal labels only, each at most once, in order', () => {
    fc.assert(
      fc.property(files, files, (before, after) => {
        let last = [-1, -1];
        for (const [old, current] of align(before, after)) {
          assert.equal(before[old]?.label, after[current]?.label);
          assert.ok(old > (last[0] ?? 0) && current > (last[1] ?? 0));
          last = [old, current];
        }
      }),
    );
  });

  test('pairs each item once, even if several are in one line', () => {
    const items = (...lines: number[]) => lines.map((line) => ({ label: 'same', line, text: '' }));
    for (const lines of [
      [7, 7],
      [3, 7, 7, 7, 9],
      [5, 5, 6, 6],
    ])
      assert.deepEqual(
        align(items(...lines), items(...lines)),
        lines.map((_, index) => [index, index]),
      );
  });

  test('follows the shift of the neighbors that were matched already', () => {
    const items = (...lines: number[]) => lines.map((line) => ({ label: 'same', line, text: '' }));
    const shifts = new LineShifts([{ before: 9, after: 19 }]);
    assert.deepEqual(align(items(10), items(10, 20), shifts), [[0, 1]]);
    assert.deepEqual(align(items(10), items(10, 20)), [[0, 0]]);
  });
});
