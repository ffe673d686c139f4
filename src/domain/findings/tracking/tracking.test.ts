import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as ignores from '#domain/ignores/store.ts';
import { makeReportedFinding, ProjectScans, scanText } from '#test/support/factories/project-scans.ts';
import { World } from '#test/support/world/world.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const SOURCE = ['start()', 'eval(a)', 'middle()', 'eval(a)', 'other(x)', 'more(y)', 'eval(a)', 'finish()', 'exec(b)'];
const RULES = ['eval', 'exec'];
const source = (lines: readonly string[], path = 'src/app.js') => scanText(path, lines.join('\n'), RULES);

describe('unchanged code', () => {
  test('has no events when the same report is imported twice', async () => {
    const scanning = await ProjectScans.start(world);
    const first = await scanning.scan(source(SOURCE));
    assert.equal(first.opened, 4);
    const before = await scanning.findings();
    const second = await scanning.scan(source(SOURCE));
    assert.deepEqual({ ...second, warnings: [] }, { ...first, opened: 0, unchanged: 4, warnings: [] });
    assert.deepEqual(await scanning.events(), []);
    assert.deepEqual(await scanning.findings(), before);
  });

  test('has no events whatever the order of results', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    const before = await scanning.findings();
    await scanning.scan(source(SOURCE).reverse());
    assert.deepEqual(await scanning.events(), []);
    assert.deepEqual(await scanning.findings(), before);
  });

  test('is only moved when lines are inserted above it', async () => {
    for (const position of [0, 1, 3, 5, 8]) {
      const scanning = await ProjectScans.start(world);
      await scanning.scan(source(SOURCE));
      const before = await scanning.findings();
      const lines = [...SOURCE.slice(0, position), 'added(1)', 'added(2)', 'added(3)', ...SOURCE.slice(position)];
      const outcome = await scanning.scan(source(lines));
      assert.deepEqual([outcome.opened, outcome.fixed, outcome.removed], [0, 0, 0], `at ${position}`);
      assert.ok((await scanning.events()).every((kind) => kind === 'moved'));
      const moved = await scanning.findings();
      assert.deepEqual(
        moved.map(({ id, line }) => [id, line]),
        before.map(({ id, line }) => [id, line > position ? line + 3 : line]),
      );
    }
  });

  test('is only moved when its file is renamed', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan([...source(SOURCE), ...source(['exec(z)'], 'src/stays.js')]);
    const before = await scanning.findings();
    const outcome = await scanning.scan([...source(SOURCE, 'lib/new-name.js'), ...source(['exec(z)'], 'src/stays.js')]);
    assert.deepEqual([outcome.opened, outcome.fixed, outcome.removed, outcome.moved], [0, 0, 0, 4]);
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    assert.deepEqual(ids(await scanning.findings()), ids(before));
  });
});

describe('when one of three equal matches is removed', () => {
  for (const [index, gone] of [1, 3, 6].entries())
    test(`that one is fixed, and the decisions about the others stay (number ${index + 1})`, async () => {
      const scanning = await ProjectScans.start(world);
      await scanning.scan(source(SOURCE));
      const before = await scanning.findings();
      const outcome = await scanning.scan(source(SOURCE.toSpliced(gone, 1, 'safe(a)')));
      assert.deepEqual([outcome.opened, outcome.fixed], [0, 1]);
      const fixed = (await scanning.findings()).filter(({ status }) => status === 'fixed');
      assert.deepEqual(
        fixed.map(({ id }) => id),
        before.filter(({ line }) => line === gone + 1).map(({ id }) => id),
      );
    });
});

describe('closing', () => {
  test('marks a finding as fixed if its rule no longer matches in a searched file', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    await scanning.scan(source(SOURCE.slice(0, 8)));
    assert.deepEqual(await scanning.events(), ['fixed']);
  });

  test('marks findings of a disabled rule as removed, not fixed', async () => {
    const scanning = await ProjectScans.start(world);
    const isExactAboutRules = true;
    await scanning.scan(source(SOURCE), { coverage: { rulesRun: RULES }, isExactAboutRules });
    const outcome = await scanning.scan(scanText('src/app.js', SOURCE.join('\n'), ['eval']), {
      coverage: { rulesRun: ['eval'] },
      isExactAboutRules,
    });
    assert.deepEqual([outcome.fixed, outcome.removed, outcome.unchanged], [0, 1, 3]);
    assert.deepEqual((await scanning.findings()).map(({ status }) => status).sort(), [
      'open',
      'open',
      'open',
      'removed',
    ]);
  });

  test('never happens in diff scans, outside of a partial scan, or in incomplete scans', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan([...source(SOURCE), ...source(SOURCE, 'src/b.js')]);
    await scanning.scan([], { mode: 'diff' });
    await scanning.scan([], { coverage: { isIncomplete: true } });
    assert.deepEqual(await scanning.events(), []);
    const outcome = await scanning.scan([], { mode: 'partial', coverage: { pathsSearched: ['src/b.js'] } });
    assert.equal(outcome.fixed, 4);
    assert.equal(
      (await scanning.findings()).filter(({ path }) => path === 'src/app.js').every(({ status }) => status === 'open'),
      true,
    );
  });

  test('skips paths and rules where the scanner failed', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    await scanning.scan([], { coverage: { pathsSearched: [], pathsFailed: ['src/app.js'] } });
    assert.deepEqual(await scanning.events(), []);
  });

  test('of many findings by a scan with less coverage is held until the next scan confirms it', async () => {
    const scanning = await ProjectScans.start(world);
    const many = Array.from({ length: 40 }, (_, index) => `src/file${index}.js`);
    const all = many.flatMap((path) => source(['eval(a)'], path));
    await scanning.scan(all, { coverage: { pathsSearched: many } });
    const held = await scanning.scan(all.slice(0, 5), { coverage: { pathsSearched: many.slice(0, 5) } });
    assert.deepEqual([held.fixed, held.removed, held.held], [0, 0, 35]);
    const agreed = await scanning.scan(all.slice(0, 5), { coverage: { pathsSearched: many.slice(0, 5) } });
    assert.deepEqual([agreed.removed, agreed.held], [35, 0]);
  });

  test('is no longer held when the finding is detected again', async () => {
    const scanning = await ProjectScans.start(world);
    const many = Array.from({ length: 30 }, (_, index) => `src/file${index}.js`);
    const all = many.flatMap((path) => source(['eval(a)'], path));
    await scanning.scan(all);
    assert.equal((await scanning.scan([])).held, 30);
    await scanning.scan(all);
    assert.equal((await scanning.scan([])).held, 30);
  });
});

describe('ignored paths', () => {
  test('have no findings, and existing ones are removed, not fixed', async () => {
    const place = await world.deployment();
    const scanning = await ProjectScans.start(world, place);
    await scanning.scan([...source(SOURCE), ...source(SOURCE, 'vendor/lib.js')]);
    await world.inDeployment(place, (tx) => ignores.save(tx, place.id, { product: 'sast', patterns: ['vendor/'] }));
    const outcome = await scanning.scan([...source(SOURCE), ...source(SOURCE, 'vendor/lib.js')]);
    assert.deepEqual([outcome.fixed, outcome.removed, outcome.unchanged], [0, 4, 4]);
  });
});

describe('a finding that is detected again', () => {
  test('after a fix is reopened', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    const before = await scanning.findings();
    await scanning.scan(source(SOURCE.slice(0, 8)));
    const outcome = await scanning.scan(source(SOURCE));
    assert.deepEqual([outcome.reopened, outcome.opened], [1, 0]);
    assert.deepEqual(
      (await scanning.findings()).map(({ id }) => id),
      before.map(({ id }) => id),
    );
    assert.deepEqual(await scanning.events(), ['fixed', 'reopened']);
  });

  test('repeatedly within two weeks is marked as flapping', async () => {
    const scanning = await ProjectScans.start(world);
    for (let round = 0; round < 2; round++) {
      await scanning.scan(source(SOURCE));
      await scanning.scan(source(SOURCE.slice(0, 8)));
    }
    const rows = (await scanning.findings()) as { rule: string; is_flapping?: boolean }[];
    assert.deepEqual(rows.map(({ rule, is_flapping }) => [rule, is_flapping]).at(-1), ['exec', true]);
  });
});

describe('refs', () => {
  test('share findings with a state per ref: a fix on a branch does not fix the primary ref', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    await scanning.scan(source(SOURCE), { ref: 'feature' });
    assert.equal((await scanning.findings()).length, 4);
    await scanning.scan([], { ref: 'feature' });
    assert.equal(
      (await scanning.findings()).every(({ status }) => status === 'open'),
      true,
    );
  });

  test('other than the primary one have findings with the status `elsewhere`', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE.slice(0, 8)));
    await scanning.scan(source(SOURCE), { ref: 'refs/pull/7/merge' });
    assert.deepEqual(
      (await scanning.findings()).map(({ state }) => state),
      ['detected', 'detected', 'detected', 'elsewhere'],
    );
    await scanning.scan(source(SOURCE));
    assert.equal(
      (await scanning.findings()).every(({ state }) => state === 'detected'),
      true,
    );
  });
});

describe('tools', () => {
  test('do not close findings of other tools', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE), { tool: 'one' });
    await scanning.scan([], { tool: 'two' });
    assert.deepEqual(await scanning.events(), []);
  });

  test('that give one id to results of different rules lose that kind of id, but no finding', async () => {
    const scanning = await ProjectScans.start(world);
    const results = source(SOURCE).map((one) => ({ ...one, fingerprints: { 'matchBasedId/v1': 'requires login' } }));
    const outcome = await scanning.scan(results);
    assert.equal(outcome.opened, 4);
    assert.match(outcome.warnings.join(), /matchBasedId\/v1/);
    assert.equal((await scanning.scan(results.toReversed())).unchanged, 4);
  });

  test('that add a kind of id keep their findings', async () => {
    const scanning = await ProjectScans.start(world);
    await scanning.scan(source(SOURCE));
    const better = source(SOURCE).map((one, index) => ({ ...one, fingerprints: { 'better/v2': String(index) } }));
    assert.equal((await scanning.scan(better)).unchanged, 4);
    const onlyBetter = better.map(({ code: _, context: __, ...one }) => one);
    assert.equal((await scanning.scan(onlyBetter)).unchanged, 4);
    assert.deepEqual(await scanning.events(), []);
  });

  test('that report no code are tracked by rule, file and order', async () => {
    const scanning = await ProjectScans.start(world);
    const bare = (lines: readonly number[]) =>
      lines.map((line) => {
        const { code: _, ...one } = makeReportedFinding({ path: 'a.c', line, code: '' });
        return one;
      });
    await scanning.scan(bare([3, 9, 20]));
    const outcome = await scanning.scan(bare([5, 11, 22]));
    assert.deepEqual([outcome.opened, outcome.fixed, outcome.moved], [0, 0, 3]);
  });
});

describe('vulnerable packages', () => {
  const sca = (advisories: string[], version: string) =>
    makeReportedFinding({
      rule: advisories[0] ?? '',
      path: 'package-lock.json',
      line: 1,
      code: '',
      more: {
        product: 'sca',
        sca: { advisories, package: 'lodash', version, ecosystem: 'npm', transitivity: 'direct' },
      },
    });

  test('are one finding for all aliases of the advisory, which stays when the version changes', async () => {
    const scanning = await ProjectScans.start(world);
    const found = [sca(['CVE-2021-1', 'GHSA-aa'], '4.0.0'), sca(['GHSA-aa'], '4.0.0')];
    await scanning.scan(found);
    assert.equal((await scanning.findings()).length, 1);
    assert.equal((await scanning.scan(found.toReversed())).opened, 0);
    const outcome = await scanning.scan([sca(['GHSA-aa'], '4.1.0')], { tool: 'another' });
    assert.deepEqual([outcome.opened, (await scanning.findings()).length], [0, 1]);
  });
});

describe('VEX statements', () => {
  test('decide about their advisory, ignoring case', async () => {
    const scanning = await ProjectScans.start(world);
    const advisories = ['GHSA-jf85-cpcp-j695', 'CVE-2019-1'];
    const sca = { advisories, package: 'lodash', version: '4.0.0', ecosystem: 'npm', transitivity: 'direct' } as const;
    const found = makeReportedFinding({
      rule: 'ssc-1',
      path: 'package-lock.json',
      line: 1,
      code: '',
      more: { product: 'sca', sca },
    });
    const statement = { kind: 'decision', source: 'vex', state: 'ignored', package: 'lodash' } as const;
    await scanning.scan([found], { extra: [{ ...statement, advisory: 'ghsa-JF85-cpcp-j695' }] });
    assert.deepEqual(await scanning.statuses(), ['package-lock.json:1 ignored']);
    await scanning.scan([found]);
    assert.deepEqual(await scanning.statuses(), ['package-lock.json:1 open']);
  });
});

describe('suppressions in a report', () => {
  test('are decisions that end when the report no longer contains them', async () => {
    const scanning = await ProjectScans.start(world);
    const [one] = source(['eval(a)']);
    assert.ok(one);
    const decision = { kind: 'decision', source: 'sarif', state: 'ignored', reason: 'false_positive' } as const;
    await scanning.scan([one], { extra: [decision] });
    assert.deepEqual(await scanning.statuses(), ['src/app.js:1 ignored']);
    await scanning.scan([one]);
    assert.deepEqual(await scanning.statuses(), ['src/app.js:1 open']);
  });
});

describe('suggestions', () => {
  const links = (project: string) =>
    world.queryAsOwner<{ relation: string }>(
      `select relation from finding_link join finding on finding.id = finding_id where project_id = $1`,
      [project],
    );

  test('link an edited finding in other surroundings to its possible successor, and merge nothing', async () => {
    const scanning = await ProjectScans.start(world);
    const surrounded = (word: string, line: string) => {
      const around = Array.from({ length: 2 }, (_, index) => `${word}(${word}${index}, ${word}${index + 7}, ${index})`);
      return [...around, line, ...around];
    };
    await scanning.scan(source(surrounded('before', 'eval(first, second, third, fourth, fifth)')));
    const outcome = await scanning.scan(source(surrounded('after', 'eval(first, second, third, fourth, sixth)')));
    assert.deepEqual([outcome.opened, outcome.fixed], [1, 1]);
    assert.deepEqual(await links(scanning.project), [{ relation: 'possibly_same' }]);
  });

  test('link findings of two tools with the same weakness in the same lines', async () => {
    const scanning = await ProjectScans.start(world);
    const found = (rule: string) => [
      makeReportedFinding({ rule, path: 'a.js', line: 3, code: 'eval(x)', more: { cwes: ['CWE-95'] } }),
    ];
    await scanning.scan(found('one/eval'), { tool: 'one' });
    await scanning.scan(found('two/eval'), { tool: 'two' });
    assert.equal((await scanning.findings()).length, 2);
    assert.deepEqual(await links(scanning.project), [{ relation: 'same_weakness' }]);
  });
});
