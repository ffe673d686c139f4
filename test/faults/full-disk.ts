import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, sleep } from './campaign.ts';
import { results, sarif, sendReport } from './import-reports.ts';
import { Installation } from './installation.ts';

const DISK_MB = 700;
const FLOOR_MB = 64;
const MIB = 2 ** 20;
const ANSWER_WITHIN_MS = 10_000;
const RECOVER_WITHIN_MS = 60_000;
const RETRY_MS = 250;

/** A small disk of its own, in memory; undefined where it may not be mounted. */
async function mountDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    await rmdir(folder);
    return undefined;
  }
}

async function unmount(folder: string): Promise<void> {
  execFileSync('umount', [folder], { stdio: 'ignore' });
  await rmdir(folder);
}

/** Fills the disk up to the last free bytes. */
async function fill(file: string, leaveBytes: number): Promise<void> {
  const handle = await open(file, 'w');
  const chunk = Buffer.alloc(MIB);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(file);
      const left = bavail * bsize - leaveBytes;
      if (left <= 0) return;
      await handle.write(chunk, 0, Math.min(left, chunk.length));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await handle.close();
  }
}

/** Fills and empties the disk of the data folder: nothing is lost, and the server recovers by itself. */
export const fullDisk: Campaign = {
  defaultCycles: 20,
  async run({ cycles, log }: CampaignOptions): Promise<FaultFigure[]> {
    const disk = await mountDisk();
    const id = 'F11 full-disk';
    const expected = `imports are refused within ${ANSWER_WITHIN_MS} ms, 0 lost, recovery, in ${cycles} cycles`;
    if (disk === undefined)
      return [{ id, expected, actual: 'not run: a small disk cannot be mounted here (needs root)', isMet: true }];
    const wrong: string[] = [];
    const installation = await Installation.make({ PARAPET_MIN_FREE_DISK_MB: String(FLOOR_MB) }, disk);
    try {
      const program = await installation.start();
      const [row] = await installation.query<{ id: string }>('select id from deployment');
      const sender = { baseUrl: program.baseUrl, deployment: String(row?.id), token: await installation.token() };
      const api = new Api(program.baseUrl);
      const report = sarif(results(0, 300));
      const ballast = join(disk, 'ballast');
      for (let cycle = 1; cycle <= cycles; cycle++) {
        const sent = { project: `acme/cycle-${cycle}`, commit: 'aaaaaaa' };
        // Every second time not one byte is left, so that PostgreSQL itself cannot write.
        await fill(ballast, cycle % 2 === 0 ? 0 : MIB);
        const start = performance.now();
        const refused = await sendReport(sender, report, sent).catch(() => 0);
        const answeredMs = performance.now() - start;
        if (![507, 503].includes(refused)) wrong.push(`cycle ${cycle}: answered with ${refused} on a full disk`);
        if (answeredMs > ANSWER_WITHIN_MS) wrong.push(`cycle ${cycle}: answered after ${Math.round(answeredMs)} ms`);
        const path = `/api/permissions/v2/deployments/${sender.deployment}/teams/list`;
        const read = await api.ask({ method: 'POST', path, token: sender.token, body: {} }).catch(() => undefined);
        if (cycle % 2 !== 0 && read?.status !== 200)
          wrong.push(`cycle ${cycle}: a read was answered with ${read?.status}`);
        await rm(ballast);
        const deadline = performance.now() + RECOVER_WITHIN_MS;
        let status = 0;
        while (status !== 200 && performance.now() < deadline) {
          status = await sendReport(sender, report, sent).catch(() => 0);
          if (status !== 200) await sleep(RETRY_MS);
        }
        if (status !== 200) wrong.push(`cycle ${cycle}: answered with ${status} on the emptied disk`);
        log(`cycle ${cycle}: ${refused} after ${Math.round(answeredMs)} ms, then ${status}`);
      }
      const [stored] = await installation.query<{ count: string }>(
        "select count(*) from scan where status = 'completed'",
      );
      if (Number(stored?.count) !== cycles) wrong.push(`${stored?.count} imports are stored`);
      api.close();
      await program.end('SIGTERM');
    } finally {
      await installation.remove();
      await unmount(disk);
    }
    const actual = `${wrong.length} wrong in ${cycles} cycles`;
    return [{ id, expected, actual, isMet: wrong.length === 0, details: wrong }];
  },
};
