import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StorageFull } from '#kernel/contract/fault.ts';
import { type DiskName, DiskSpace } from './disk-space.ts';

const MIB = 1024 ** 2;
const FOLDERS: Record<DiskName, string> = { spool: '/spool', database: '/database' };

/** Disks with this much free space in MiB, and a minimum of 256. */
const disksOf = (free: Record<string, number>, minFreeBytes = 256 * MIB) =>
  new DiskSpace({
    folders: FOLDERS,
    minFreeBytes,
    readDisk: async (folder) =>
      free[folder] === undefined ? undefined : { freeBytes: free[folder] * MIB, totalBytes: 10_000 * MIB },
  });

test('uploads are refused when any disk has less than the minimum', async () => {
  await disksOf({ '/spool': 256, '/database': 256 }).requireSpace();
  for (const [free, label] of [
    [{ '/spool': 255, '/database': 5000 }, 'the disk of the spool folder has 255 MiB left'],
    [{ '/spool': 5000, '/database': 3 }, 'the disk of the embedded database has 3 MiB left'],
  ] as const)
    await assert.rejects(
      disksOf(free).requireSpace(),
      (error) => error instanceof StorageFull && error.reason === label,
    );
});

test('administrators are warned below four times the minimum', async () => {
  const warningsAt = async (free: number) => (await disksOf({ '/spool': free, '/database': 5000 }).warnings())[0];
  assert.equal(await warningsAt(1024), undefined);
  assert.deepEqual(await warningsAt(1023), {
    code: 'DISK_LOW',
    message:
      'The disk of the spool folder has 1,023 MiB left; below 256 MiB, imports and other uploads are refused. ' +
      'Free space on it, or enlarge it.',
  });
  assert.equal((await warningsAt(256))?.code, 'DISK_LOW');
  assert.equal((await warningsAt(255))?.code, 'DISK_FULL');
});

test('nothing is refused for a disk that the system does not report, or with a minimum of 0', async () => {
  for (const disks of [disksOf({}), disksOf({ '/spool': 0 }, 0)]) {
    await disks.requireSpace();
    assert.deepEqual(await disks.warnings(), []);
  }
});

test('the space of a folder that does not exist yet is that of its parent', async () => {
  const folders = { spool: join(tmpdir(), 'does-not-exist-yet'), database: '/does/not/exist/at/all' };
  const disks = await new DiskSpace({ folders, minFreeBytes: 1 }).list();
  assert.deepEqual(
    disks.map(({ name }) => name),
    ['spool'],
  );
  assert.ok(disks.every(({ freeBytes, totalBytes }) => totalBytes >= freeBytes && totalBytes > 0));
});
