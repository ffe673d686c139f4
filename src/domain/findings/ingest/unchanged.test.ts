import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ReportedFinding, ReportItem } from '#domain/reports/report-items.ts';
import { makeReportedFinding, ProjectScans, scanText } from '#test/support/factories/project-scans.ts';
import { checkProperty } from '#test/support/properties.ts';
import { World } from '#test/support/world/world.ts';
import { undoScan } from './undo-scan.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const RULES = ['eval', 'exec'];
const source = (...lines: string[]) => scanText('src/app.js', lines.join('\n'), RULES);
const advisory = (line: number): ReportedFinding => ({
  ...makeReportedFinding({ rule: 'CVE-2024-1111', path: 'package-lock.json', line, code: 'left-pad' }),
  product: 'sca',
  sca: {
    advisories: ['CVE-2024-1111'],
    package: 'left-pad',
    version: '1.0.0',
    ecosystem: 'npm',
    transitivity: 'direct',
  },
});

/** The stored state of a project, without ids and times. */
const traceOf = (project: string) =>
  world.queryAsOwner<{ line: string }>(
    `select format('%s %s:%s %s %s %s %s', rule, path, line, status, severity, version, reopened_count) as line
     from finding where project_id = $1
     union all select format('detection %s:%s %s %s', detection.path, detection.line, detection.state, rule)
       from detection join finding on finding.id = finding_id where project_id = $1
     union all select format('event %s %s %s', kind, rule, path) from finding_event
       join finding on finding.id = finding_id where project_id = $1
     union all select format('found %s %s %s', found_code, found_supply_chain, found_secrets) from scan
       where project_id = $1
     order by line`,
    [project],
  );

test('unchanged results are not staged, and their findings do not change', async () => {
  const scanning = await ProjectScans.start(world);
  const lines = ['eval(a)', 'middle()', 'eval(a)', 'exec(b)'];
  await scanning.scan(source(...lines));
  const before = await traceOf(scanning.project);
  const again = await scanning.scan(source(...lines).reverse());
  assert.deepEqual(scanning.staged, [3, 0]);
  assert.deepEqual([again.opened, again.unchanged, again.moved, again.fixed], [0, 3, 0, 0]);
  assert.deepEqual(
    await traceOf(scanning.project),
    ['found 3 0 0', ...before.map(({ line }) => line)].sort().map(toRow),
  );
  const fewer = await scanning.scan(source('eval(a)', 'middle()', 'eval(a)', 'safe(b)'));
  assert.deepEqual([fewer.unchanged + fewer.moved, fewer.fixed], [2, 1]);
});

const toRow = (line: string) => ({ line });

test('after any edit the result is as if every result had been compared', async (context) => {
  const line = fc.constantFrom('eval(a)', 'eval(a)', 'exec(b)', 'eval(c)', 'plain()', 'other()');
  const file = fc.array(line, { minLength: 1, maxLength: 8 });
  const scan = fc.record({ first: file, second: file, advisories: fc.array(fc.integer({ min: 1, max: 3 })) });
  await checkProperty(
    context,
    fc.asyncProperty(fc.array(scan, { minLength: 2, maxLength: 4 }), async (scans) => {
      const place = await world.deployment();
      const [compared, forgetful] = [await ProjectScans.start(world, place), await ProjectScans.start(world, place)];
      for (const { first, second, advisories } of [...scans, ...scans.slice(-1)]) {
        const found = [
          ...scanText('src/a.js', first.join('\n'), RULES),
          ...scanText('src/b.js', second.join('\n'), RULES),
          ...advisories.map(advisory),
        ];
        const one = await compared.scan(found);
        assert.deepEqual(one, await forgetful.scan(found, { isForgetful: true }));
      }
      assert.deepEqual(await traceOf(compared.project), await traceOf(forgetful.project));
    }),
    { full: 8, quick: 2, seed: 1 },
  );
});

test('an advisory that is reported twice is one finding', async () => {
  const scanning = await ProjectScans.start(world);
  for (const _ of [1, 2, 3]) await scanning.scan([advisory(1), advisory(7)]);
  assert.deepEqual(await scanning.statuses(), ['package-lock.json:1 open']);
});

test('with another ruleset the report is read again and stored in full', async () => {
  const scanning = await ProjectScans.start(world);
  const rule = (severity: 'low' | 'critical'): ReportItem => ({ kind: 'rule', id: 'eval', severity });
  const found = source('eval(a)').map(({ severity: _, ...silent }) => silent);
  await scanning.scan(found, { extra: [rule('low')] });
  await scanning.scan(found, { extra: [rule('critical')] });
  assert.deepEqual(scanning.staged, [1, 0, 1]);
  const severities = await world.queryAsOwner('select severity from finding where project_id = $1', [scanning.project]);
  assert.deepEqual(severities, [{ severity: 4 }]);
});

test('the content of an undone scan is not used for comparison', async () => {
  const place = await world.deployment();
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(source('eval(a)', 'exec(b)'));
  await scanning.scan(source('added()', 'eval(a)', 'exec(b)'));
  const [last] = await world.queryAsOwner<{ id: string }>('select max(id) as id from scan where project_id = $1', [
    scanning.project,
  ]);
  await world.assembly.db.transaction({ role: 'app', deployment: place.id, isRead: false }, (tx) =>
    undoScan(tx, { deployment: place.id, scan: String(last?.id), actor: 'test', at: new Date(Date.UTC(2026, 6, 1)) }),
  );
  await scanning.scan(source('added()', 'eval(a)', 'exec(b)'));
  assert.deepEqual(scanning.staged, [2, 2, 2]);
  assert.deepEqual(await scanning.statuses(), ['src/app.js:2 open', 'src/app.js:3 open']);
});

test('scans of other refs than the primary one are always compared in full', async () => {
  const scanning = await ProjectScans.start(world);
  await scanning.scan(source('eval(a)'));
  for (const _ of [1, 2]) await scanning.scan(source('eval(a)'), { ref: 'feature' });
  assert.deepEqual(scanning.staged, [1, 1, 1]);
});
