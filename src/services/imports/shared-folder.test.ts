import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitUntil } from '#test/support/wait.ts';
import { World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const REPORT = 'test/fixtures/reports/semgrep-1.70.sarif';

let folder: string;
let worlds: World[];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-shared-'));
  worlds = await Promise.all([1, 2].map(() => World.start({ PARAPET_DATA_DIR: folder })));
});
after(async () => {
  for (const world of worlds) await world.stop();
  await rm(folder, { recursive: true, force: true });
});

test('servers that share a data folder keep the uploads of each other', async () => {
  const [first = assert.fail(), second = assert.fail()] = worlds;
  const bytes = await readFile(REPORT);
  let finish = () => {};
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* slowly() {
    yield bytes.subarray(0, 1000);
    await isFinished;
    yield bytes.subarray(1000);
  }
  const send = async (world: World, upload: Buffer<ArrayBuffer> | AsyncIterable<Uint8Array>) => {
    const place = await world.deployment();
    const api = world.as(contract, place.admin.jwt);
    return api.importReport({ path: { deployment: place.id }, query: { project: 'acme/one' }, upload });
  };
  const slow = send(first, slowly());
  const isSpooling = async () =>
    (await readdir(first.assembly.services.spool.folder).catch(() => [])).some((name) => name.endsWith('.gz'));
  await waitUntil(isSpooling);
  const quick = await send(second, bytes);
  assert.equal(quick.status, 200, quick.text);
  assert.ok(await isSpooling());
  finish();
  const finished = await slow;
  assert.equal(finished.status, 200, finished.text);
  assert.equal(finished.body.opened, quick.body.opened);
});
