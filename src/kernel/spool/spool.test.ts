import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Spool } from './spool.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-spool-'));
});
after(() => rm(folder, { recursive: true }));

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

const UUID = '00000000-0000-4000-8000-000000000000';

test('a server that starts keeps the bodies of a running server on the same folder', async () => {
  const running = await new Spool(folder).receive(bytes('first'));
  const other = await new Spool(folder).receive(bytes('second'));
  assert.equal((await readdir(folder)).length, 2);
  await running.remove();
  await other.remove();
});

test('the first body removes those of ended processes, and old ones of other machines', async () => {
  const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  const names = {
    ended: `${hostname()}-${endedPid}-${UUID}.gz`,
    reusedPid: `${hostname()}-${process.pid}-${UUID}.gz`,
    elsewhere: `other.example.com-${endedPid}-${UUID}.gz`,
    longAgoElsewhere: `old.example.com-${endedPid}-${UUID}.gz`,
    foreign: 'notes.txt',
  };
  for (const name of Object.values(names)) await writeFile(join(folder, name), '');
  for (const name of [names.reusedPid, names.longAgoElsewhere]) await utimes(join(folder, name), dayAgo, dayAgo);
  const { remove } = await new Spool(folder).receive(bytes('body'));
  await remove();
  assert.deepEqual((await readdir(folder)).sort(), [names.elsewhere, names.foreign].sort());
});
