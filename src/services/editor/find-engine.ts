import { constants } from 'node:fs';
import { access, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { programFolders } from '#kernel/config/program-folders.ts';

/** The names of the engine: the program of its Python package comes last, because it only leads to the engine. */
const NAMES = ['semgrep-core', 'osemgrep', 'semgrep'];

/** The path of the engine, or why there is none. */
export type EngineLookup = { path: string } | { reason: string };

/** Finds the engine that the operator names or, without a name, the one that is installed. */
export async function findEngine(configured: string, folders = programFolders()): Promise<EngineLookup> {
  if (configured !== '') {
    const path = await engineAt(configured);
    return path ? { path } : { reason: `PARAPET_SEMGREP names ${configured}, where no semgrep-core was found` };
  }
  for (const folder of folders)
    for (const name of NAMES) {
      const path = await engineAt(join(folder, name));
      if (path) return { path };
    }
  return { reason: 'semgrep is not installed' };
}

/** The engine behind a path: the program itself, or that of the Python package to which a start script belongs. */
async function engineAt(path: string): Promise<string | undefined> {
  const isProgram = await access(path, constants.X_OK).then(
    async () => (await stat(path)).isFile(),
    () => false,
  );
  if (!isProgram) return undefined;
  const real = await realpath(path);
  return (await isPythonScript(real)) ? findInPackage(real) : real;
}

async function isPythonScript(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
  return /^#!.*python/.test(buffer.toString('latin1', 0, bytesRead));
}

async function findInPackage(script: string): Promise<string | undefined> {
  const libraries = join(dirname(dirname(script)), 'lib');
  const versions = await readdir(libraries).catch(() => []);
  for (const version of versions.filter((name) => name.startsWith('python')))
    for (const packages of ['site-packages', 'dist-packages']) {
      const path = join(libraries, version, packages, 'semgrep', 'bin', 'semgrep-core');
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return realpath(path);
    }
  return undefined;
}
