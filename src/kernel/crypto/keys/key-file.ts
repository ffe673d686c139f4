import { randomBytes } from 'node:crypto';
import { access, link, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const MAX_FILE_LENGTH = 1024;

export type KeyFile = { readonly text: string; readonly isOpenToOthers: boolean };

/** Reads a key file and tells whether other users of the machine can read it too. */
export async function readKeyFile(file: string): Promise<KeyFile> {
  const handle = await open(file, 'r');
  try {
    const { mode } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_FILE_LENGTH), 0, MAX_FILE_LENGTH, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), isOpenToOthers: (mode & 0o077) !== 0 };
  } finally {
    await handle.close();
  }
}

/**
 * Writes the text to a new file that only this user can read; false when the file already exists.
 * The complete file is linked into place, so that neither a crash nor a second process sees half of a key.
 */
export async function createKeyFile(file: string, text: string): Promise<boolean> {
  if (await isPresent(file)) return false;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeDurably(draft, text);
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
  return true;
}

export function isPresent(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
