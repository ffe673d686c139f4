import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { Database } from '#kernel/db/database.ts';
import { makeLog } from '#kernel/log/log.ts';
import { auditKey, entryFor } from '#test/support/world/audit-entry.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { type Denial, DenialLog } from './denial-log.ts';

let kernel: KernelDatabase;
let superuser: pg.Client;
let nowMs = 0;

before(async () => {
  kernel = await startKernelDatabase();
  superuser = await kernel.superuser();
});
beforeEach(() => superuser.query('truncate audit_record, audit_unsealed, audit_seal'));
after(() => kernel.stop());

const log = makeLog('silent');
const make = (waitingMax = 100) =>
  new DenialLog({ db: kernel.db, key: auditKey, log, clock: () => new Date(nowMs), maxWaiting: waitingMax });

const denial = (changes: Partial<Denial> = {}): Denial => ({
  caller: entryFor('7', 'x').caller,
  operation: 'TeamsService.updateTeam',
  code: 'PERMISSION_DENIED',
  address: '192.0.2.7',
  requestId: 'request',
  ...changes,
});

async function written(): Promise<Record<string, unknown>[]> {
  const { rows } = await superuser.query(
    'select deployment_id, credential, operation, result from audit_record order by id',
  );
  return rows;
}

test('AZN-11: a denied request has a record with caller, operation and fault, queued for sealing', async () => {
  const denials = make();
  denials.add(denial());
  await denials.flush();
  assert.deepEqual(await written(), [
    {
      deployment_id: '7',
      credential: 'token-1',
      operation: 'TeamsService.updateTeam',
      result: 'PERMISSION_DENIED',
    },
  ]);
  const { rowCount } = await superuser.query('select from audit_unsealed');
  assert.equal(rowCount, 1);
});

test('AZN-11: each principal has one record per second and fault', async () => {
  const denials = make();
  const others = [
    denial({ code: 'NOT_FOUND' }),
    denial({ operation: 'TeamsService.removeTeam' }),
    denial({ caller: { ...denial().caller, credential: 'token-2' } }),
    denial({ caller: { ...denial().caller, deployment: '8' } }),
  ];
  for (let second = 0; second < 3; second++) {
    for (let count = 0; count < 50; count++) {
      nowMs = second * 1000 + count * 19;
      for (const one of [denial(), ...others]) denials.add(one);
    }
  }
  await denials.flush();
  assert.equal((await written()).length, 3 * (1 + others.length));
});

test('AZN-11: callers without a deployment are identified by address, and belong to the server', async () => {
  const denials = make();
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1'])
    denials.add(denial({ caller: anonymousCaller, address }));
  await denials.flush();
  assert.deepEqual(
    (await written()).map((row) => row['deployment_id']),
    ['0', '0'],
  );
});

test('AZN-11: a flood from many addresses uses bounded memory and rows', async () => {
  const denials = make(20);
  for (let count = 0; count < 1000; count++)
    denials.add(denial({ caller: anonymousCaller, address: `192.0.2.${count}` }));
  await denials.flush();
  assert.equal((await written()).length, 20);
  denials.add(denial());
  await denials.flush();
  assert.equal((await written()).length, 21);
});

test('AZN-11: denials are written without an explicit flush', async () => {
  make().add(denial());
  while ((await written()).length === 0);
});

test('AZN-11: a database that does not answer neither throws nor blocks', async () => {
  const connection = { host: '/nowhere', port: 1 };
  const db = new Database({ connection, poolMax: 2, onError: () => undefined });
  const denials = new DenialLog({ db, key: auditKey, log });
  denials.add(denial());
  await denials.flush();
  await db.close();
});
