import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLog } from '#kernel/log/log.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { CHANNEL } from './job.ts';
import { JobListener } from './listener.ts';

let kernel: KernelDatabase;
before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

test('stopping ends a listener at every moment of its connect', async () => {
  let notices = 0;
  for (const afterMs of [0, 0, 1, 2, 3, 5, 8, 13, 20, 40]) {
    const onNotice = () => {
      notices += 1;
    };
    const listener = new JobListener({ connection: kernel.connection, onNotice, log: makeLog('silent') });
    listener.start();
    if (afterMs > 0) await sleep(afterMs);
    await listener.stop();
  }
  const before = notices;
  const superuser = await kernel.superuser();
  await superuser.query(`notify ${CHANNEL}`);
  await superuser.query('select 1');
  assert.equal(notices, before);
});
