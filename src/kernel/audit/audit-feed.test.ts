import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '#test/support/wait.ts';
import { auditKey, entryFor } from '#test/support/world/audit-entry.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { AuditFeed, listRecordsAfter, newestRecordId } from './audit-feed.ts';
import { writeAuditRecord } from './audit-record.ts';

let kernel: KernelDatabase;
before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

const write = (deployment: string, object: string, more: { result?: string; wait?: Promise<void> } = {}) =>
  kernel.db.transaction({ role: 'app', deployment, isRead: false }, async (tx) => {
    await writeAuditRecord(tx, auditKey, { ...entryFor(deployment, 'r'), object, result: more.result ?? '200' });
    await more.wait;
  });

const read = <Result>(deployment: string, work: Parameters<typeof kernel.db.transaction<Result>>[1]) =>
  kernel.db.transaction({ role: 'app', deployment, isRead: true }, work);

/** Subscribes to deployments and collects the records of each. */
function following(...deployments: string[]) {
  const feed = new AuditFeed({ db: kernel.db, intervalMs: 5 });
  const received = new Map(deployments.map((deployment) => [deployment, [] as string[]]));
  const leave = deployments.map((deployment) =>
    feed.follow(deployment, '0', (records) => received.get(deployment)?.push(...records.map(({ object }) => object))),
  );
  return { feed, leave, of: (deployment: string) => received.get(deployment) ?? [] };
}

test('each subscriber receives every successful change of its deployment once, and no denials', async () => {
  const { feed, of } = following('1', '2');
  await write('1', 'team/1');
  await write('2', 'team/2');
  await write('3', 'team/3');
  await write('1', 'team/4', { result: 'PERMISSION_DENIED' });
  await write('1', 'team/5');
  await waitUntil(() => of('1').length === 2 && of('2').length === 1);
  await sleep(50);
  assert.deepEqual([of('1'), of('2')], [['team/1', 'team/5'], ['team/2']]);
  feed.close();
});

test('a record that commits after later ones is delivered late, not lost', async () => {
  const { feed, of } = following('11');
  const { promise: wait, resolve: commit } = Promise.withResolvers<void>();
  const late = write('11', 'late', { wait });
  await sleep(50);
  await write('11', 'young');
  await waitUntil(() => of('11').length === 1);
  commit();
  await late;
  await waitUntil(() => of('11').length === 2);
  assert.deepEqual(of('11'), ['young', 'late']);
  feed.close();
});

test('after unsubscribing nothing is delivered, and missed records can be read', async () => {
  const { feed, leave, of } = following('21');
  await write('21', 'one');
  await waitUntil(() => of('21').length === 1);
  for (const go of leave) go();
  const newest = await read('21', (tx) => newestRecordId(tx, '21'));
  await write('21', 'two');
  await write('21', 'refused', { result: 'NOT_FOUND' });
  await write('21', 'three');
  await sleep(50);
  assert.deepEqual(of('21'), ['one']);
  const missed = await read('21', (tx) => listRecordsAfter(tx, '21', { after: newest, most: 10 }));
  assert.deepEqual(
    missed.map(({ object }) => object),
    ['two', 'three'],
  );
  feed.close();
});
