import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

let sentCount = 0;
/** The same results in different bytes: an identical report would not be compared. */
const report = async () =>
  (await readFile('test/fixtures/reports/semgrep-1.70.sarif', 'utf8')) + ' '.repeat(sentCount++);

async function send(project: string, signal?: AbortSignal, { id, admin } = place) {
  return fetch(`${world.baseUrl}/api/v1/deployments/${id}/imports?project=${project}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.jwt}`, 'content-type': 'application/json' },
    body: await report(),
    ...(signal && { signal }),
  });
}

const waitingSessions = () =>
  world.queryAsOwner<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'parapet-app'
       and wait_event_type = 'Lock' and wait_event = 'advisory'`,
  );

async function waitingSession(): Promise<number> {
  for (;;) {
    const [session] = await waitingSessions();
    if (session) return session.pid;
    await sleep(10);
  }
}

/** Runs the work while another session holds the lock that an import of the project takes. */
async function whileLocked(project: string, work: () => Promise<void>): Promise<void> {
  assert.equal((await send(project)).status, 200);
  await world.inDeployment(place, async (tx) => {
    await tx.run`
      select pg_advisory_xact_lock(hashtextextended('findings of ' || deployment_id || '/' || id, 0))
      from project where name = ${project}`;
    await work();
  });
}

test('an import whose statement is cancelled is refused as too costly, and is not tried again', async () => {
  await whileLocked('costly', async () => {
    const answered = send('costly');
    await world.queryAsOwner('select pg_cancel_backend($1)', [await waitingSession()]);
    const answer = await answered;
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [413, 'REPORT_TOO_COSTLY']);
  });
});

test('an import ends when its sender leaves, and others go on', async () => {
  const other = await world.deployment();
  await whileLocked('left', async () => {
    const leaving = new AbortController();
    const sent = [1, 2, 3].map(() => send('left', leaving.signal));
    await waitingSession();
    assert.equal((await send('other', undefined, other)).status, 200);
    leaving.abort();
    for (const { status } of await Promise.allSettled(sent)) assert.equal(status, 'rejected');
    while ((await waitingSessions()).length > 0) await sleep(10);
  });
  assert.equal((await send('left')).status, 200);
});
