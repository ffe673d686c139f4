import { createHash, randomUUID } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';

export interface FolderOwner {
  uid: number;
  gid: number;
}

const foldersInProgress = new Set<string>();

/**
 * Creates a folder that is either complete or absent, also when the process is killed or several processes create it.
 */
export async function createFolderAtomically(target: string, fill: (folder: string) => Promise<void>): Promise<void> {
  await removeLeftovers(target);
  const folder = `${target}.partial-${process.pid}-${randomUUID()}`;
  foldersInProgress.add(folder);
  try {
    await mkdir(folder, { mode: 0o700 });
    await fill(folder);
    await rename(folder, target);
    await syncFolder(dirname(target));
  } catch (error) {
    // Another process was faster; its folder is equivalent.
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
    foldersInProgress.delete(folder);
  }
}

async function removeLeftovers(target: string): Promise<void> {
  const prefix = `${basename(target)}.partial-`;
  for (const name of await readdir(dirname(target))) {
    const folder = join(dirname(target), name);
    if (!name.startsWith(prefix) || foldersInProgress.has(folder)) continue;
    const creatorPid = Number.parseInt(name.slice(prefix.length), 10);
    if (creatorPid !== process.pid && isAlive(creatorPid)) continue;
    // A child of the killed process may still write into it; the next start removes what is left.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Changes the owner of a folder and its contents; the folder itself comes last, so that an interrupted run is repeated.
 */
export async function changeOwner(owner: FolderOwner, folder: string): Promise<void> {
  if ((await lstat(folder)).uid === owner.uid) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid);
  }
  await chown(folder, owner.uid, owner.gid);
}

/** Creates or reuses a folder in a shared location, and refuses one that another user created there. */
export async function claimFolder(folder: string, mode: number, owner: FolderOwner): Promise<void> {
  await mkdir(folder, { mode }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && (found.uid === owner.uid || found.uid === process.getuid?.());
  if (!isOurs || (found.mode & 0o022) !== 0) {
    throw new EmbeddedUnavailable(`The folder ${folder} is needed, but another user created it: remove it.`);
  }
  if (found.uid !== owner.uid) await chown(folder, owner.uid, owner.gid);
  await chmod(folder, mode);
}

/** A short, stable name for a folder. */
export function folderFingerprint(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}

/** Tells whether a system call failed with one of these codes. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
