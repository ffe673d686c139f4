import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Installation } from '#test/faults/installation.ts';
import { childrenOf } from '#test/faults/processes.ts';
import { type Bench, type Figure, median } from './figure.ts';

const WARM_STARTS = 5;
const COLD_STARTS = 3;
const COLD_MS = 10_000;
const WARM_MS = 2000;
const IDLE_MB = 300;
const SETTLE_MS = 5000;

/** The time of a start on an empty and on an existing data folder, and the memory of the idle program. */
export const benchStartUp: Bench = async ({ scale, log }) => {
  const cold: number[] = [];
  const warm: number[] = [];
  let memory: Figure[] = [];
  for (let count = 0; count < Math.max(1, COLD_STARTS * scale); count++) {
    const installation = await Installation.make();
    try {
      cold.push(await startOnce(installation));
      if (count > 0) continue;
      for (let again = 0; again < Math.max(1, WARM_STARTS * scale); again++) warm.push(await startOnce(installation));
      memory = await idleMemory(installation);
    } finally {
      await installation.remove();
    }
  }
  log(`cold ${cold.map(Math.round).join(', ')} ms; warm ${warm.map(Math.round).join(', ')} ms`);
  return [
    { name: 'cold start to ready', value: median(cold), unit: 'ms', target: { atMost: COLD_MS } },
    { name: 'warm start to ready', value: median(warm), unit: 'ms', target: { atMost: WARM_MS } },
    ...memory,
  ];
};

async function startOnce(installation: Installation): Promise<number> {
  const run = installation.run({ command: 'npm start' });
  const ms = await run.ready();
  await run.end('SIGTERM');
  return ms;
}

async function idleMemory(installation: Installation): Promise<Figure[]> {
  const run = await installation.start();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const postmaster = (await installation.postmaster())?.pid ?? 0;
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + memoryOf(pid), 0);
  const server = memoryOf(run.pid);
  const worker = sum(childrenOf(run.pid).filter((pid) => pid !== postmaster));
  const database = sum([postmaster, ...childrenOf(postmaster)]);
  await run.end('SIGTERM');
  return [
    {
      name: 'idle memory, server, worker and database',
      value: server + worker + database,
      unit: 'MB',
      target: { atMost: IDLE_MB },
    },
    { name: 'idle memory, server', value: server, unit: 'MB' },
    { name: 'idle memory, worker', value: worker, unit: 'MB' },
    { name: 'idle memory, database', value: database, unit: 'MB' },
  ];
}

/** Shared pages count in proportion if the system reports that; otherwise each process counts them fully. */
function memoryOf(pid: number): number {
  try {
    const kilobytes = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux, or not readable.
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
