import assert from 'node:assert/strict';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { version } from '#kernel/config/version.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start({ PARAPET_DATA_DIR: await mkdtemp(join(tmpdir(), 'parapet-system-')) });
  place = await world.deployment();
});
after(() => world.stop());

async function status(where = place, token = where.admin.jwt) {
  const reply = await world.as(contract, token).getSystemStatus({ path: { deploymentId: where.id } });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const insert = (deployment: string, kind: string, more: string) =>
  world.queryAsOwner(
    `insert into job (deployment_id, queue, kind, payload, max_attempts, state, run_at, last_error, finished_at)
     values ($1, 'main', $2, '{}', 3, ${more})`,
    [deployment, kind],
  );

describe('the status of the server', () => {
  test('has versions, database, disk and memory', async () => {
    const body = await status();
    assert.deepEqual([body.version, body.node], [version, process.versions.node]);
    assert.ok(Date.parse(body.startedAt) <= Date.now() && body.memoryBytes > 1_000_000);
    assert.match(body.database.version, /^\d+/);
    assert.ok(body.database.sizeBytes > 1_000_000 && body.database.isEmbedded);
    assert.ok(body.disk && body.disk.totalBytes >= body.disk.freeBytes && body.disk.freeBytes > 0);
    const files = (await readdir('migrations')).filter((name) => name.endsWith('.sql'));
    assert.deepEqual(body.migrations, { applied: files.length, pending: 0 });
  });

  test('counts jobs of the deployment and of the server and lists dead ones', async () => {
    const other = await world.deployment();
    const before = await status();
    await insert(place.id, 'late', "'ready', now() - interval '1 hour', null, null");
    await insert(place.id, 'tomorrow', "'ready', now() + interval '1 day', null, null");
    await insert('0', 'working', "'running', now(), null, null");
    await insert(place.id, 'given.up', "'dead', now(), 'Error: it did not work', now()");
    await insert(other.id, 'of.others', "'dead', now(), 'Error: secret of others', now()");
    const { jobs, deadJobs } = await status();
    const more = (name: 'waiting' | 'running' | 'dead') => jobs[name] - before.jobs[name];
    assert.deepEqual([more('waiting'), more('running'), more('dead')], [1, 1, 1]);
    assert.ok(jobs.oldestWaitingSeconds >= 3600 && jobs.oldestWaitingSeconds < 4000);
    assert.deepEqual(
      deadJobs.map(({ kind, error }) => [kind, error]),
      [['given.up', 'Error: it did not work']],
    );
    assert.deepEqual(
      (await status(other)).deadJobs.map(({ kind }) => kind),
      ['of.others'],
    );
  });

  test('requires an administrator', async () => {
    const member = await world.member(place);
    const reply = await world.as(contract, member.jwt).getSystemStatus({ path: { deploymentId: place.id } });
    assert.deepEqual([reply.status, reply.problem.code], [403, 'PERMISSION_DENIED']);
  });
});

describe('the warning that no process runs jobs', () => {
  const stalled = async () => {
    const reply = await world.as(contract, place.admin.jwt).listSystemWarnings({ path: { deploymentId: place.id } });
    assert.equal(reply.status, 200, reply.text);
    return reply.body.warnings.filter(({ code }) => code === 'JOBS_STALLED').map(({ message }) => message);
  };
  const begin = () => world.queryAsOwner('delete from job');

  test('appears when jobs have been due for a while, also those of other deployments', async () => {
    await begin();
    const other = await world.deployment();
    await insert(other.id, 'waits', "'ready', now() - interval '25.5 minutes', null, null");
    const [message = ''] = await stalled();
    assert.match(message, /due for 25 minutes .*parapet worker/);
  });

  test('does not appear while a job runs, after one has run, and before jobs are due for long', async () => {
    for (const state of [
      "'running', now() - interval '1 hour', null, null",
      "'done', now() - interval '1 hour', null, now() - interval '1 minute'",
    ]) {
      await begin();
      await insert(place.id, 'waits', "'ready', now() - interval '1 hour', null, null");
      await insert(place.id, 'other', state);
      await world.queryAsOwner("update job set lease_until = now() + interval '10 seconds' where state = 'running'");
      assert.deepEqual(await stalled(), [], state);
    }
    await begin();
    await insert(place.id, 'waits', "'ready', now() - interval '1 minute', null, null");
    await insert(place.id, 'tomorrow', "'ready', now() + interval '1 day', null, null");
    assert.deepEqual(await stalled(), []);
  });

  test('appears when the worker of the running job is gone', async () => {
    await begin();
    await insert(place.id, 'waits', "'ready', now() - interval '1 hour', null, null");
    await insert(place.id, 'other', "'running', now() - interval '1 hour', null, null");
    await world.queryAsOwner("update job set lease_until = now() - interval '1 hour' where state = 'running'");
    assert.equal((await stalled()).length, 1);
  });
});
