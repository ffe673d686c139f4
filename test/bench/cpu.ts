import { readFileSync } from 'node:fs';
import { childrenOf } from '#test/faults/processes.ts';

/** Linux reports the CPU time of processes in hundredths of a second, whatever the clock rate of the kernel. */
const TICK_MS = 10;

/** The CPU time that a process has used; NaN if the system does not report it. */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** The same for all sessions of a PostgreSQL. No session may end between two measurements that are compared. */
export const cpuMsOfSessions = (postmaster: number): number =>
  childrenOf(postmaster).reduce((sum, pid) => sum + cpuMsOf(pid), 0);
