import { readdir, readFile } from 'node:fs/promises';

/** The resident memory of a process and its descendants; 0 where the system has no /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readStatus));
  const children = new Map<number, ProcessStatus[]>();
  for (const one of found) if (one) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
  let total = found.find((one) => one?.pid === pid)?.bytes ?? 0;
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const child of children.get(next) ?? []) {
      total += child.bytes;
      open.push(child.pid);
    }
  return total;
}

interface ProcessStatus {
  pid: number;
  parent: number;
  bytes: number;
}

/** Undefined for a process that has ended in the meantime. */
async function readStatus(name: string): Promise<ProcessStatus | undefined> {
  const text = await readFile(`/proc/${name}/status`, 'latin1').catch(() => '');
  const parent = /^PPid:\s+(\d+)/m.exec(text)?.[1];
  const kib = /^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? '0';
  return parent === undefined ? undefined : { pid: Number(name), parent: Number(parent), bytes: Number(kib) * 1024 };
}
