import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { World } from '#test/support/world/world.ts';
import { analyzeHandler } from './analyze-growth.ts';

let world: World;
before(async () => {
  world = await World.start();
  // Otherwise it could do the same at any time.
  for (const table of ['finding', 'detection', 'fingerprint'])
    await world.queryAsOwner(`alter table ${table} set (autovacuum_enabled = off)`);
  await world.queryAsOwner('analyze finding, detection, fingerprint');
});
after(() => world.stop());

const report = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) =>
    makeReportedFinding({ path: `src/${from + index}.js`, line: 1, code: `f${from + index}()` }),
  );

async function knownCounts(): Promise<number[]> {
  const rows = await world.queryAsOwner<{ count: number }>(
    `select reltuples::float8 as count from pg_class
     where oid = any(array['finding', 'detection', 'fingerprint']::regclass[]) order by relname`,
  );
  return rows.map(({ count }) => Math.min(count, 10_000));
}

/** Runs the jobs that imports have enqueued; returns their number. */
async function runJobs(): Promise<number> {
  const rows = await world.queryAsOwner("delete from job where kind = 'finding.analyze' returning id");
  const none = async () => assert.fail('the job needs no transaction');
  const call = { payload: {}, deployment: '0', attempt: 1, signal: new AbortController().signal };
  for (const _ of rows) await analyzeHandler(world.database.connection).run({ ...call, read: none, transact: none });
  return rows.length;
}

test('an import that makes the tables much larger updates what the planner knows of them', async () => {
  const place = await world.deployment();
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(report(0, 500));
  assert.equal(await runJobs(), 0);
  assert.deepEqual(await knownCounts(), [0, 0, 0]);
  await scanning.scan(report(0, 2500));
  assert.equal(await runJobs(), 1);
  const [detections = 0, findings = 0, fingerprints = 0] = await knownCounts();
  assert.deepEqual([detections, findings], [2500, 2500]);
  assert.ok(fingerprints >= 2500, String(fingerprints));
});

test('so does the first large import of a deployment beside a larger one', async () => {
  const large = await ProjectScans.start(world, await world.deployment());
  await large.scan(report(0, 6000));
  await runJobs();
  const scanning = await ProjectScans.start(world, await world.deployment());
  await scanning.scan(report(0, 1000));
  assert.equal(await runJobs(), 1);
});

test('a small part of the findings does not', async () => {
  const scanning = await ProjectScans.start(world, await world.deployment());
  await scanning.scan(report(0, 400));
  assert.equal(await runJobs(), 0);
  await scanning.scan(report(0, 7000));
  await runJobs();
  await scanning.scan(report(0, 8000));
  assert.equal(await runJobs(), 0);
});
