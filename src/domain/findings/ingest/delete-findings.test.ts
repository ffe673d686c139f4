import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { remove } from '#domain/projects/settings.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { ProjectScans, scanText } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { undoScan } from './undo-scan.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const source = (...lines: string[]) => scanText('src/app.js', lines.join('\n'), ['eval', 'exec']);

/** Rows that refer to findings, and how many of them refer to none that exists. */
async function leftBehind(deployment: string) {
  const [row] = await world.queryAsOwner<Record<string, number>>(
    `select (select count(*) from detection where deployment_id = $1)::integer as detections,
       (select count(*) from fingerprint where deployment_id = $1)::integer as fingerprints,
       (select count(*) from detection where deployment_id = $1 and not exists (select from finding
         where finding.deployment_id = $1 and finding.id = detection.finding_id))::integer as lost_detections,
       (select count(*) from fingerprint where deployment_id = $1 and not exists (select from finding
         where finding.deployment_id = $1 and finding.id = fingerprint.finding_id))::integer as lost_fingerprints`,
    [deployment],
  );
  return row;
}

test('details of findings are deleted with them when a scan is undone and when a project is deleted', async () => {
  const place = await world.deployment();
  const [one, other] = [await ProjectScans.start(world, place), await ProjectScans.start(world, place)];
  await one.scan(source('eval(a)'));
  await other.scan(source('eval(a)', 'exec(b)'));
  await one.scan(source('eval(a)', 'exec(b)', 'eval(c)'));
  const all = { detections: 5, fingerprints: 5, lost_detections: 0, lost_fingerprints: 0 };
  assert.deepEqual(await leftBehind(place.id), all);
  const [last] = await world.queryAsOwner<{ id: string }>('select max(id) as id from scan where project_id = $1', [
    one.project,
  ]);
  const writing = { role: 'app', deployment: place.id, isRead: false } as const;
  const undone = await world.assembly.db.transaction(writing, (tx) =>
    undoScan(tx, { deployment: place.id, scan: String(last?.id), actor: 'test', at: new Date(Date.UTC(2026, 6, 1)) }),
  );
  assert.equal(undone?.withdrawn, 2);
  assert.deepEqual(await leftBehind(place.id), { ...all, detections: 3, fingerprints: 3 });
  await world.assembly.db.transaction(writing, (tx) => remove(tx, place.id, other.project));
  assert.deepEqual(await leftBehind(place.id), { ...all, detections: 1, fingerprints: 1 });
  assert.equal((await one.findings()).length, 1);
});

/** A copy of the finding in another project. */
const copiedTo = (tx: Tx, place: TestDeployment, project: string) => {
  const facts = sql`product, tool, rule, title, message, severity, confidence, category, cwes, owasps, path, line,
    start_column, end_line, end_column, state, first_scan_id, first_seen_at, relevant_since`;
  return tx.run`
    insert into finding (deployment_id, project_id, ${facts})
    select deployment_id, ${project}::bigint, ${facts} from finding where deployment_id = ${place.id} limit 1`;
};

test('a finding needs a project of its deployment, and is deleted with it even if just written', async () => {
  const [place, elsewhere] = [await world.deployment(), await world.deployment()];
  const scanning = await ProjectScans.start(world, place);
  await scanning.scan(source('eval(a)'));
  const [stranger, leaving] = [await world.project(elsewhere), await world.project(place)];
  for (const project of ['999999999', stranger])
    await assert.rejects(
      world.inDeployment(place, (tx) => copiedTo(tx, place, project)),
      { code: '23503' },
    );
  let removal: Promise<unknown> = Promise.resolve();
  await world.inDeployment(place, async (tx) => {
    await copiedTo(tx, place, leaving);
    removal = world.inDeployment(place, (other) => remove(other, place.id, leaving));
    const waits = () =>
      world.queryAsOwner(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
    while ((await waits()).length === 0) await pause(5);
  });
  await removal;
  const [left] = await world.queryAsOwner<{ count: number }>(
    'select count(*)::integer from finding where deployment_id = $1',
    [place.id],
  );
  assert.equal(left?.count, 1);
});
