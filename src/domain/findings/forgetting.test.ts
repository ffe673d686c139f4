import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { remove } from '#domain/projects/settings.ts';
import { Scanning, scanText } from '#test/support/scanning.ts';
import { World } from '#test/support/world.ts';
import { undoScan } from './undo-scan.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const source = (...lines: string[]) => scanText('src/app.js', lines.join('\n'), ['eval', 'exec']);

/** Rows that speak of findings, and how many of them speak of none that is there. */
async function leftBehind(deployment: string) {
  const [row] = await world.look<Record<string, number>>(
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

test('what is known of findings goes with them: when a scan is undone, and when a project is removed', async () => {
  const place = await world.deployment();
  const [one, other] = [await Scanning.start(world, place), await Scanning.start(world, place)];
  await one.scan(source('eval(a)'));
  await other.scan(source('eval(a)', 'exec(b)'));
  await one.scan(source('eval(a)', 'exec(b)', 'eval(c)'));
  const all = { detections: 5, fingerprints: 5, lost_detections: 0, lost_fingerprints: 0 };
  assert.deepEqual(await leftBehind(place.id), all);
  const [last] = await world.look<{ id: string }>('select max(id) as id from scan where project_id = $1', [
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
