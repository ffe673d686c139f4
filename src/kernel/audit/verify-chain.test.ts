import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';
import { Tx } from '#kernel/db/tx.ts';
import { auditKey, entryFor, signer } from '#test/support/world/audit-entry.ts';
import { rechain, type Tampering, tamperings } from '#test/support/world/audit-tampering.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { writeAuditRecord } from './audit-record.ts';
import { type Checkpoint, checkpointAll, type SealingContext } from './checkpoint.ts';
import { sealAll } from './seal.ts';
import { type ChainQuery, type ChainVerdict, verifyChain, verifyChainWith } from './verify-chain.ts';

const LENGTH = 24;
const LANES = ['11', '12', '13', '14'];

let kernel: KernelDatabase;
let superuser: pg.Client;
let notary: SealingContext;
const kept: Checkpoint[] = [];

before(async () => {
  kernel = await startKernelDatabase();
  superuser = await kernel.superuser();
  notary = { db: kernel.db, signer, onCheckpoint: (checkpoint) => void kept.push(checkpoint) };
  for (let round = 0; round < 2; round++) {
    await Promise.all(['1', ...LANES].map((deployment) => write(deployment, LENGTH / 2)));
    await sealAll(notary);
    await checkpointAll(notary);
  }
});
afterEach(() => superuser.query('rollback'));
after(() => kernel.stop());

const write = (deployment: string, count: number) =>
  kernel.db.transaction({ role: 'app', deployment, isRead: false }, async (tx) => {
    for (let index = 0; index < count; index++) await writeAuditRecord(tx, auditKey, entryFor(deployment, `r${index}`));
  });

/** The verdict after a change that is not committed; the next change in the same session rolls it back. */
async function verdictAfter(
  change: string | Tampering,
  { client = superuser, ...given }: Partial<ChainQuery> & { client?: pg.Client } = {},
): Promise<ChainVerdict> {
  const { text, isRechained } = typeof change === 'string' ? { text: change, isRechained: false } : change;
  const question = { deployment: '1', keys: [signer], ...given };
  // Foreign keys would prevent tampering, but a superuser can disable them.
  await client.query(`rollback; begin; set local session_replication_role = replica; ${text}`);
  if (isRechained) await rechain(client, question.deployment);
  return verifyChainWith((work) => work(new Tx(client)), question);
}

async function recordIdAt(position: number): Promise<string> {
  const { rows } = await superuser.query('select record_id from audit_seal where deployment_id = 1 and position = $1', [
    position,
  ]);
  return rows[0].record_id;
}
const kindsOf = ({ problems }: ChainVerdict) => [...new Set(problems.map(({ kind }) => kind))];

test('AUD-02: an unchanged chain is valid', async () => {
  const verdict = await verifyChain(kernel.db, { deployment: '1', keys: [signer], externalCheckpoints: kept });
  assert.deepEqual(verdict, { ok: true, records: LENGTH, problems: [] });
  assert.deepEqual(await verdictAfter('select 1', { externalCheckpoints: kept }), verdict);
});

test('AUD-02: each of 2,000 random edits, removals, insertions, swaps and truncations is detected', async () => {
  await Promise.all(
    LANES.map(async (deployment) => {
      const client = await kernel.superuser();
      const latest = kept.findLast((checkpoint) => checkpoint.deployment === deployment);
      assert.ok(latest);
      const isDetected = fc.asyncProperty(tamperings(deployment, LENGTH), async (tampering) => {
        const verdict = await verdictAfter(tampering, { deployment, externalCheckpoints: [latest], client });
        assert.ok(!verdict.ok && verdict.problems.length > 0);
      });
      await fc.assert(isDetected, { numRuns: 2000 / LANES.length });
      await client.query('rollback');
    }),
  );
});

test('AUD-03: a truncation is detected by checkpoints, also if an exported one was removed with the records', async () => {
  const cut = `delete from audit_record where deployment_id = 1 and id in
      (select record_id from audit_seal where deployment_id = 1 and position > 12);
    delete from audit_seal where deployment_id = 1 and position > 12;`;
  assert.deepEqual(kindsOf(await verdictAfter(cut)), ['chain cut off']);
  const hidden = `${cut} delete from audit_checkpoint where deployment_id = 1 and size > 12`;
  assert.deepEqual(kindsOf(await verdictAfter(hidden, { externalCheckpoints: kept })), ['chain cut off']);
});

test('AUD-03: a checkpoint with another key or changed after signing is forged', async () => {
  const stranger = ed25519From(createSecretKey(Buffer.alloc(32, 'stranger')));
  assert.deepEqual(kindsOf(await verdictAfter('select 1', { keys: [stranger] })), ['checkpoint forged']);
  assert.ok((await verdictAfter('select 1', { keys: [stranger, signer] })).ok);
  for (const change of ["at = at + interval '1 second'", "key_id = 'other'", 'signature = sha512(signature)'])
    assert.deepEqual(kindsOf(await verdictAfter(`update audit_checkpoint set ${change}`)), ['checkpoint forged']);
});

test('AUD-03: a long chain without checkpoints is reported', async () => {
  await write('2', 2000);
  await sealAll(notary);
  assert.ok((await verifyChain(kernel.db, { deployment: '2', keys: [signer] })).ok);
  const verdict = await verdictAfter('delete from audit_checkpoint', { deployment: '2' });
  assert.deepEqual(kindsOf(verdict), ['checkpoint missing']);
});

test('each change is reported with its kind and position', async () => {
  const where = await recordIdAt(5);
  const at = 'deployment_id = 1 and id = (select record_id from audit_seal where deployment_id = 1 and position = 5)';
  const only = async (change: string) => (await verdictAfter(change)).problems;
  assert.deepEqual(await only(`update audit_record set actor = 'x' where ${at}`), [
    { kind: 'record edited', where: '5' },
  ]);
  assert.deepEqual(await only(`delete from audit_record where ${at}`), [{ kind: 'record missing', where: '5' }]);
  assert.deepEqual(await only('delete from audit_seal where deployment_id = 1 and position = 5'), [
    { kind: 'seal missing', where: '5' },
    { kind: 'record added', where },
  ]);
  const farAway = "insert into audit_seal values (1, 1000000000000, -1, sha256('x'::bytea))";
  assert.deepEqual(await only(farAway), [
    { kind: 'seal missing', where: '25' },
    { kind: 'checkpoint missing', where: '24' },
  ]);
});

test('records that are not sealed yet are no problem, unless they are removed', async () => {
  await write('3', 2);
  assert.deepEqual(await verifyChain(kernel.db, { deployment: '3', keys: [signer] }), {
    ok: true,
    records: 0,
    problems: [],
  });
  const verdict = await verdictAfter('delete from audit_record where deployment_id = 3', { deployment: '3' });
  assert.deepEqual(kindsOf(verdict), ['record missing']);
});

test('AUD-03: verifying the end of a chain detects every change in it, and trusts what is before', async () => {
  const at = (position: number) =>
    `deployment_id = 1 and id = (select record_id from audit_seal where deployment_id = 1 and position = ${position})`;
  const whole = await verdictAfter('select 1', { newestRecords: 10 });
  assert.deepEqual([whole.ok, whole.records], [true, 10]);
  assert.deepEqual(
    (await verdictAfter(`update audit_record set actor = 'x' where ${at(5)}`, { newestRecords: 10 })).problems,
    [],
  );
  for (const position of [15, 20, 24])
    assert.deepEqual(
      (await verdictAfter(`update audit_record set actor = 'x' where ${at(position)}`, { newestRecords: 10 })).problems,
      [{ kind: 'record edited', where: String(position) }],
    );
  const gone = 'delete from audit_seal where deployment_id = 1 and position = 14';
  assert.ok(kindsOf(await verdictAfter(gone, { newestRecords: 10 })).includes('seal missing'));
  const added = `insert into audit_record select deployment_id, 1000000, at, request_id, actor_kind, actor, credential,
      address, operation, object, result, before_digest, after_digest from audit_record where ${at(24)}`;
  assert.deepEqual(kindsOf(await verdictAfter(added, { newestRecords: 10 })), ['record added']);
});
