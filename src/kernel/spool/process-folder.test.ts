import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '#test/support/wait.ts';
import { ProcessFolder } from './process-folder.ts';

const root = await mkdtemp(join(tmpdir(), 'parapet-spool-'));
after(() => rm(root, { recursive: true, force: true }));

const HOUR_MS = 3_600_000;
const QUICK = { heartbeatMs: 10, abandonedMs: HOUR_MS };
const longAgo = new Date(Date.now() - 2 * HOUR_MS);

let parents = 0;
const newParent = () => join(root, `parent-${++parents}`);

/** A folder of a process that no longer lives. */
async function abandon(parent: string, name: string, { hasHeartbeat }: { hasHeartbeat: boolean }): Promise<void> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'body.gz'), 'left behind');
  if (hasHeartbeat) {
    await writeFile(join(folder, 'heartbeat'), '');
    await utimes(join(folder, 'heartbeat'), longAgo, longAgo);
  } else await utimes(folder, longAgo, longAgo);
}

test('a folder in use is kept by other processes, and abandoned ones are removed at the start', async () => {
  const parent = newParent();
  const first = new ProcessFolder(parent);
  await first.open();
  await writeFile(join(first.path, 'body.gz'), 'in use');
  await abandon(parent, 'killed', { hasHeartbeat: true });
  await abandon(parent, 'killed early', { hasHeartbeat: false });
  const second = new ProcessFolder(parent);
  await second.open();
  assert.deepEqual((await readdir(parent)).sort(), [basename(first.path), basename(second.path)].sort());
  assert.deepEqual((await readdir(first.path)).sort(), ['body.gz', 'heartbeat']);
  assert.equal((await stat(first.path)).mode & 0o777, 0o700);
  await first.close();
  await second.close();
  assert.deepEqual(await readdir(parent), []);
});

test('a folder that is abandoned later is removed by the processes that still run', async () => {
  const parent = newParent();
  const folder = new ProcessFolder(parent, QUICK);
  await folder.open();
  await abandon(parent, 'killed', { hasHeartbeat: true });
  await waitUntil(async () => (await readdir(parent)).length === 1);
  await folder.close();
});

test('the heartbeat renews the time of the folder, and restores a folder that was removed', async () => {
  const folder = new ProcessFolder(newParent(), QUICK);
  await folder.open();
  const heartbeat = join(folder.path, 'heartbeat');
  await utimes(heartbeat, longAgo, longAgo);
  await waitUntil(async () => (await stat(heartbeat)).mtimeMs > longAgo.getTime() + HOUR_MS);
  await rm(folder.path, { recursive: true });
  await waitUntil(() =>
    stat(heartbeat).then(
      () => true,
      () => false,
    ),
  );
  await folder.close();
});

test('a folder that could not be created is created by the next call', async () => {
  const parent = newParent();
  await writeFile(parent, 'in the way');
  const folder = new ProcessFolder(parent);
  await assert.rejects(folder.open());
  await rm(parent);
  await folder.open();
  await stat(join(folder.path, 'heartbeat'));
  await folder.close();
});
