import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import * as system from '#services/system/contract.ts';
import * as teams from '#services/teams/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const MIB = 1024 ** 2;
const PLENTY = 100_000 * MIB;

let world: World;
let place: TestDeployment;
let report: Buffer<ArrayBuffer>;
let freeBytes = PLENTY;
before(async () => {
  const readDisk = async () => ({ freeBytes, totalBytes: 2 * PLENTY });
  world = await World.start({ PARAPET_MIN_FREE_DISK_MB: '256' }, { readDisk });
  place = await world.deployment();
  report = await readFile('test/fixtures/reports/semgrep-1.70.sarif');
});
after(() => world.stop());

const importInto = (project: string) =>
  world
    .as(contract, place.admin.jwt)
    .importReport({ path: { deployment: place.id }, query: { project }, upload: report });

const warningCodes = async () => {
  const reply = await world.as(system, place.admin.jwt).listSystemWarnings({ path: { deploymentId: place.id } });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.warnings.map(({ code }) => code);
};

const listTeams = () =>
  world.as(teams, place.admin.jwt).listDeploymentTeams({ path: { deploymentId: place.id }, body: {} });

/** Makes the database refuse new scans with this SQLSTATE while the work runs. */
async function whileScansFail(state: string, work: () => Promise<void>): Promise<void> {
  await world.queryAsOwner(`create function refuse_scan() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test' using errcode = '${state}'; end $$`);
  await world.queryAsOwner('create trigger refuse before insert on scan for each row execute function refuse_scan()');
  try {
    await work();
  } finally {
    await world.queryAsOwner('drop function refuse_scan() cascade');
  }
}

test('on a nearly full disk imports are refused with 507, reads go on, and imports work again when it is emptied', async () => {
  assert.deepEqual(await warningCodes(), []);
  freeBytes = 1000 * MIB;
  assert.deepEqual(await warningCodes(), ['DISK_LOW']);
  assert.equal((await importInto('acme/low')).status, 200);
  freeBytes = 3 * MIB;
  assert.deepEqual(await warningCodes(), ['DISK_FULL']);
  const refused = await importInto('acme/full');
  assert.deepEqual([refused.status, refused.problem.code], [507, 'INSUFFICIENT_STORAGE']);
  assert.match(refused.problem.detail, /the disk of the (spool folder|embedded database) has 3 MiB left/);
  assert.equal((await listTeams()).status, 200);
  freeBytes = PLENTY;
  assert.deepEqual(await warningCodes(), []);
  assert.equal((await importInto('acme/full')).status, 200);
});

test('an upload is refused before its sender is told to send it', async () => {
  freeBytes = 3 * MIB;
  const { hostname, port } = new URL(world.baseUrl);
  const sent = request({
    ...{ hostname, port, method: 'POST', path: `/api/v1/deployments/${place.id}/imports?project=acme/big` },
    headers: {
      authorization: `Bearer ${place.admin.jwt}`,
      'content-type': 'application/json',
      'content-length': String(1024 * MIB),
      expect: '100-continue',
    },
  });
  sent.once('continue', () => assert.fail('the server sent 100 Continue')).flushHeaders();
  const status = await new Promise((resolve) => void sent.once('response', (message) => resolve(message.statusCode)));
  assert.equal(status, 507);
  sent.destroy();
  freeBytes = PLENTY;
});

test('a full disk of the database is answered with 507 and not waited for as an outage', async () => {
  await whileScansFail('53100', async () => {
    world.pausesMs.length = 0;
    const refused = await importInto('acme/database');
    assert.deepEqual([refused.status, refused.problem.code], [507, 'INSUFFICIENT_STORAGE']);
    assert.match(refused.problem.detail, /the disk of the database is full/);
    assert.deepEqual(world.pausesMs, []);
  });
  assert.equal((await importInto('acme/database')).status, 200);
});

test('an outage is not waited for when the disk has become full', async () => {
  let calls = 0;
  const readDisk = async () => ({ freeBytes: ++calls > 2 ? 3 * MIB : PLENTY, totalBytes: PLENTY });
  const other = await World.start({ PARAPET_MIN_FREE_DISK_MB: '256' }, { readDisk });
  const previous = [world, place] as const;
  try {
    world = other;
    place = await world.deployment();
    await whileScansFail('53300', async () => {
      const refused = await importInto('acme/outage');
      assert.deepEqual([refused.status, refused.problem.code], [507, 'INSUFFICIENT_STORAGE']);
      assert.deepEqual(world.pausesMs, []);
    });
  } finally {
    [world, place] = previous;
    await other.stop();
  }
});
