import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { auditKey, entryFor, signer } from '#test/support/world/audit-entry.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { writeAuditRecord } from './audit-record.ts';
import { type Checkpoint, checkpointAll, isSignedBy, type SealingContext } from './checkpoint.ts';
import { sealAll, sealBatch } from './seal.ts';
import { verifyChain } from './verify-chain.ts';

let kernel: KernelDatabase;
let superuser: pg.Client;
let notary: SealingContext;
const published: Checkpoint[] = [];

before(async () => {
  kernel = await startKernelDatabase();
  superuser = await kernel.superuser();
  notary = { db: kernel.db, signer, onCheckpoint: (checkpoint) => void published.push(checkpoint) };
});
after(() => kernel.stop());

const write = (deployment: string, requestIds: string[], beforeCommit = async () => {}) =>
  kernel.db.transaction(
    deployment === '0' ? { role: 'auth', isRead: false } : { role: 'app', deployment, isRead: false },
    async (tx) => {
      await Promise.all(requestIds.map((requestId) => writeAuditRecord(tx, auditKey, entryFor(deployment, requestId))));
      await beforeCommit();
    },
  );
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
const verdictOf = (deployment: string) => verifyChain(kernel.db, { deployment, keys: [signer] });

async function value(text: string, values: unknown[] = []): Promise<unknown> {
  return Object.values((await superuser.query(text, values)).rows[0] ?? {})[0];
}
const waitingOf = (deployment: string) =>
  value('select count(*)::integer from audit_unsealed where deployment_id = $1', [deployment]);

test('AUD-02: with concurrent writers and sealers, every record is sealed and every chain is valid', async () => {
  let isWriting = true;
  const sealing = Promise.all(
    [1, 2].map(async () => {
      while (isWriting) await sealAll(notary);
    }),
  );
  await Promise.all(
    ['1', '2', '0', '1', '2', '1'].map(async (deployment) => {
      for (let round = 0; round < 20; round++) await write(deployment, names(10));
    }),
  );
  isWriting = false;
  await sealing;
  await sealAll(notary);
  assert.equal(await value('select count(*)::integer from audit_unsealed'), 0);
  for (const [deployment, records] of Object.entries({ 0: 200, 1: 600, 2: 400 }))
    assert.deepEqual(await verdictOf(deployment), { ok: true, records, problems: [] });
});

test('AUD-02: a record that commits after later ones were sealed is sealed too', async () => {
  await write('3', ['late'], async () => {
    await write('3', ['early']);
    assert.equal(await sealBatch(notary, '3'), 1);
  });
  assert.equal(await sealBatch(notary, '3'), 1);
  assert.equal(await waitingOf('3'), 0);
  const order =
    'select array_agg(record_id order by position) = array_agg(record_id order by record_id desc) from audit_seal';
  assert.equal(await value(`${order} where deployment_id = 3`), true);
  assert.deepEqual(await verdictOf('3'), { ok: true, records: 2, problems: [] });
});

test('AUD-02: a chain is sealed by one sealer at a time', async () => {
  await write('4', names(50));
  const counts = await Promise.all(Array.from({ length: 3 }, () => sealBatch(notary, '4')));
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    50,
  );
  assert.deepEqual(await verdictOf('4'), { ok: true, records: 50, problems: [] });
});

test('AUD-01: a record is committed with its effect or not at all', async () => {
  const failing = write('5', ['x'], async () => {
    throw new Error('no effect');
  });
  await assert.rejects(failing, /no effect/);
  assert.equal(await waitingOf('5'), 0);
  assert.equal(await value('select count(*)::integer from audit_record where deployment_id = 5'), 0);
});

test('AUD-02: no role of the program can change, remove or hide a record', async () => {
  await write('6', ['x']);
  for (const role of ['app', 'auth', 'background'])
    for (const table of ['audit_record', 'audit_seal', 'audit_checkpoint'])
      for (const right of ['update', 'delete', 'truncate'])
        assert.equal(await value('select has_table_privilege($1, $2, $3)', [`parapet_${role}`, table, right]), false);
  for (const role of ['app', 'auth'])
    assert.equal(await value("select has_table_privilege($1, 'audit_unsealed', 'delete')", [`parapet_${role}`]), false);
  assert.equal(await value("select has_sequence_privilege('parapet_app', 'audit_record_id_seq', 'update')"), false);
  const foreign = kernel.db.transaction({ role: 'app', deployment: '6', isRead: false }, (tx) =>
    writeAuditRecord(tx, auditKey, entryFor('7', 'x')),
  );
  await assert.rejects(foreign, { code: '42501' });
});

test('AUD-03: a chain gets a signed checkpoint every thousand records, and on request for the rest', async () => {
  await write('8', names(900));
  await sealAll(notary);
  const ofEight = () => published.filter(({ deployment }) => deployment === '8');
  assert.deepEqual(ofEight(), []);
  await write('8', names(900));
  await sealAll(notary);
  assert.deepEqual(
    ofEight().map(({ size }) => size),
    [1800],
  );
  await write('8', names(7));
  await sealAll(notary);
  await checkpointAll(notary);
  assert.deepEqual(
    ofEight().map(({ size }) => size),
    [1800, 1807],
  );
  assert.equal(await checkpointAll(notary), 0);
  for (const checkpoint of published) assert.ok(isSignedBy(checkpoint, signer));
  const stored = await value('select count(*)::integer from audit_checkpoint where deployment_id = 8');
  assert.equal(stored, 2);
  assert.ok((await verdictOf('8')).ok);
});
