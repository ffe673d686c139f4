import { readFileSync } from 'node:fs';
import { childrenOf } from '#test/faults/processes.ts';

/** Linux counts the time of processes in hundredths of a second, whatever its kernel's own clock is. */
const TICK_MS = 10;

/** The processor time that a process has used; not a number where the system does not tell. */
export function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** The same for all sessions of a PostgreSQL; none may end between two measurements that are compared. */
export const cpuMsOfSessions = (postmaster: number): number =>
  childrenOf(postmaster).reduce((sum, pid) => sum + cpuMsOf(pid), 0);
