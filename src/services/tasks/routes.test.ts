import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import * as store from '#domain/tasks/store.ts';
import {
  MAX_RUNNING_TASKS,
  runTask,
  startTask,
  type TaskFile,
  TaskRefused,
  taskKind,
} from '#domain/tasks/task-runner.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import { waitFor } from '#test/support/wait.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const echo = taskKind('test.echo', { text: z.string(), fails: z.boolean() });
/** A task kind without a handler. */
const idle = taskKind('test.idle', { text: z.string(), fails: z.boolean() });

let world: World;
let place: TestDeployment;
let worker: JobWorker;

const echoed = ({ text }: { text: string }): TaskFile => ({
  name: 'echo.xml',
  contentType: 'application/xml; charset=utf-8',
  chunks: function* () {
    yield '<echo>';
    yield text;
    yield '</echo>';
  },
});

before(async () => {
  world = await World.start();
  place = await world.deployment();
  worker = new JobWorker({
    db: world.assembly.db,
    connection: world.database.connection,
    log: makeLog('silent'),
    workerId: 'test',
    handlers: [
      runTask(echo, async ({ input }) => {
        if (input.fails) throw new TaskRefused('There is nothing to echo.');
        return echoed(input);
      }),
    ],
  });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
});

const callerOf = (person: TestUser, deployment: string): Caller => ({
  ...anonymousCaller,
  kind: 'user',
  userId: person.id,
  credential: `session:${person.session}`,
  deployment,
});

const start = (input: { text: string; fails: boolean }, where: TestDeployment = place, kind = echo) =>
  world.inDeployment(where, (tx) =>
    startTask(tx, world.keys, {
      kind,
      deployment: where.id,
      caller: callerOf(where.admin, where.id),
      input,
      now: new Date(Date.now() + world.clockOffsetMs),
    }),
  );

const get = async (taskTokenJwt: string, credential?: string) =>
  world.as(contract, credential ?? (await world.signIn(place.admin)).jwt).getTaskResult({ path: { taskTokenJwt } });

const ended = (token: string) =>
  waitFor(async () => {
    const { body } = await get(token);
    return body.taskResult?.status === 'TASK_STATUS_IN_PROGRESS' ? undefined : (body.taskResult ?? assert.fail());
  }, 'the task did not end');

describe('a task', () => {
  test('is run by a job, and its result is downloaded without a credential', async () => {
    const text = 'ä&'.repeat(300_000);
    const { status, resultString } = await ended(await start({ text, fails: false }));
    assert.equal(status, 'TASK_STATUS_COMPLETED');
    assert.ok(resultString.startsWith(`${world.baseUrl}/api/tasks/v1/downloads/`));
    const response = await fetch(resultString);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="echo.xml"');
    assert.equal(await response.text(), `<echo>${text}</echo>`);
  });

  test('that fails has a reason', async () => {
    const result = await ended(await start({ text: '', fails: true }));
    assert.deepEqual(result, { status: 'TASK_STATUS_FAILED', resultString: 'There is nothing to echo.' });
  });

  test('is not found for anybody but its creator', async () => {
    const token = await start({ text: 'x', fails: false });
    const colleague = await world.member(place, 'ORG_ROLE_ADMIN');
    const stranger = await world.deployment();
    const { text } = await world.token(place);
    for (const credential of [colleague.jwt, stranger.admin.jwt, text])
      assert.equal((await get(token, credential)).status, 404);
    assert.equal((await get(token)).status, 200);
  });

  test('is not found for its creator after leaving the deployment', async () => {
    const where = await world.deployment();
    const token = await start({ text: 'x', fails: false }, where);
    assert.equal((await get(token, where.admin.jwt)).status, 200);
    await world.queryAsOwner('delete from membership where account_id = $1', [where.admin.id]);
    assert.equal((await get(token, where.admin.jwt)).status, 404);
  });

  test('is found only by a valid task token: an access token, a forged or an expired one gives 404', async () => {
    const token = await start({ text: 'x', fails: false });
    const { jwt } = await world.signIn(place.admin);
    const [head = '', body = '', signature = ''] = token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none","typ":"task+jwt"}').toString('base64url')}.${body}.`;
    for (const wrong of [jwt, unsigned, `${head}.${body}.${signature.slice(0, -4)}AAAA`, 'x', `${token}x`])
      assert.equal((await get(wrong)).status, 404, wrong);
    world.clockOffsetMs = 24 * 3600 * 1000 + 1000;
    try {
      assert.equal((await get(token)).status, 404);
    } finally {
      world.clockOffsetMs = 0;
    }
  });

  test('its token is not a credential', async () => {
    const token = await start({ text: 'x', fails: false });
    assert.equal((await get(token, token)).status, 401);
  });
});

describe('a download link', () => {
  test('is valid for 15 minutes and cannot be altered', async () => {
    const { resultString } = await ended(await start({ text: 'x', fails: false }));
    const at = resultString.length - 9;
    const changed = resultString.slice(0, at) + (resultString[at] === 'A' ? 'B' : 'A') + resultString.slice(at + 1);
    assert.equal((await fetch(changed)).status, 404);
    world.clockOffsetMs = 15 * 60_000 + 1000;
    try {
      assert.equal((await fetch(resultString)).status, 404);
    } finally {
      world.clockOffsetMs = 0;
    }
    assert.equal((await fetch(resultString)).status, 200);
  });
});

test('results are removed after a week and stuck tasks are terminated', async () => {
  const { resultString } = await ended(await start({ text: 'old', fails: false }));
  const where = await world.deployment();
  await world.inDeployment(where, (tx) =>
    store.insert(tx, { deployment: where.id, kind: 'test.lost', createdBy: 'nobody' }),
  );
  await world.queryAsOwner("update task set created_at = now() - interval '13 hours' where status = 'in_progress'");
  await world.queryAsOwner("update task set created_at = now() - interval '169 hours' where status = 'completed'");
  const background = { role: 'background', isRead: false } as const;
  assert.ok((await world.assembly.db.transaction(background, store.terminateStuck)) >= 1);
  assert.ok((await world.assembly.db.transaction(background, store.deleteOld)) >= 1);
  assert.equal((await fetch(resultString)).status, 404);
  assert.deepEqual(await world.queryAsOwner("select from task where status in ('in_progress', 'completed')"), []);
  assert.deepEqual(await world.queryAsOwner('select from task_chunk'), []);
});

test('tasks in progress of a deployment are limited, also concurrently', async () => {
  const where = await world.deployment();
  await world.queryAsOwner(
    "insert into task (deployment_id, kind, created_by) select $1, 'test.busy', 'nobody' from generate_series(1, $2)",
    [where.id, MAX_RUNNING_TASKS - 1],
  );
  const attempts = await Promise.allSettled(
    Array.from({ length: 5 }, () => start({ text: 'x', fails: false }, where, idle)),
  );
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
});
