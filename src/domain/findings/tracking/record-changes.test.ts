import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { World } from '#test/support/world/world.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

type More = NonNullable<Parameters<typeof makeReportedFinding>[0]['more']>;

const found = (more: More) => makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)', context: '// a', more });

const vulnerable = (more: Partial<NonNullable<More['sca']>> = {}, message = 'text') => {
  const match = { advisories: ['CVE-2021-1'], package: 'lodash', version: '1', ecosystem: 'npm' };
  const sca = { ...match, transitivity: 'direct' as const, ...more };
  const options = { rule: 'lodash', path: 'package-lock.json', line: 1, code: '' };
  return makeReportedFinding({ ...options, more: { product: 'sca', sca, message } });
};

async function changes(scanning: ProjectScans) {
  const rows = await world.queryAsOwner<{ before: object; after: object }>(
    `select event.before, event.after from finding_event as event
     join finding on finding.deployment_id = event.deployment_id and finding.id = event.finding_id
     where project_id = $1 and kind = 'changed' order by event.id`,
    [scanning.project],
  );
  return rows.map((row) => [row.before, row.after]);
}

test('an event has the old and the new value of each fact that conditions read, and no other', async () => {
  const scanning = await ProjectScans.start(world);
  await scanning.scan([found({ severity: 'low', confidence: 'low' })]);
  await scanning.scan([found({ severity: 'high', confidence: 'low', message: 'another text' })]);
  assert.deepEqual(await changes(scanning), [[{ severity: 1 }, { severity: 3 }]]);
  await scanning.scan([found({ severity: 'high', confidence: 'high', cwes: ['CWE-79'] })]);
  assert.deepEqual((await changes(scanning))[1], [
    { confidence: 1, cwes: [] },
    { confidence: 3, cwes: ['CWE-79'] },
  ]);
  const [row] = await world.queryAsOwner<{ confidence: number }>(
    'select confidence from finding where project_id = $1',
    [scanning.project],
  );
  assert.equal(row?.confidence, 3, 'a change of the confidence alone is stored');
});

test('a change of the text alone has no event, and neither has a scan of a branch', async () => {
  const scanning = await ProjectScans.start(world);
  await scanning.scan([found({ severity: 'high' })]);
  await scanning.scan([found({ severity: 'high', message: 'another text' })]);
  await scanning.scan([found({ severity: 'low' })], { ref: 'feature' });
  assert.deepEqual(await changes(scanning), []);
});

test('dependencies have events about reachability, fixes, malice and the category of their score', async () => {
  const scanning = await ProjectScans.start(world);
  await scanning.scan([vulnerable()]);
  await scanning.scan([vulnerable({ reachability: 'reachable', fixVersions: ['2'], isMalicious: true })]);
  assert.deepEqual(await changes(scanning), [
    [
      { has_fix: false, is_malicious: false, reachability: null },
      { has_fix: true, is_malicious: true, reachability: 'reachable' },
    ],
  ]);
  for (const [score, message] of [
    [0.01, 'one text'],
    [0.7, 'another text'],
  ] as const) {
    const same = { reachability: 'reachable' as const, fixVersions: ['2'], isMalicious: true };
    await world.queryAsOwner(
      `update finding set detail = detail || jsonb_build_object('epss', jsonb_build_object('score', $2::numeric))
       where project_id = $1`,
      [scanning.project, score],
    );
    await scanning.scan([vulnerable(same, message)], { isForgetful: true });
  }
  assert.deepEqual((await changes(scanning)).slice(1), [
    [{ epss: 0.01 }, { epss: null }],
    [{ epss: 0.7 }, { epss: null }],
  ]);
});

test('a finding that reaches the primary ref has an event', async () => {
  const scanning = await ProjectScans.start(world);
  const other = makeReportedFinding({ path: 'b.js', line: 1, code: 'eval(b)', context: '// b' });
  await scanning.scan([other]);
  await scanning.scan([other, found({})], { ref: 'feature' });
  await scanning.scan([other, found({})]);
  assert.deepEqual(await scanning.events(), ['landed']);
});
