import { lstat, realpath, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { claimFolder, folderFingerprint, hasErrorCode } from '#kernel/db/embedded/folders.ts';
import { copyProgram, createLibraryLinks, type PostgresProgram } from '#kernel/db/embedded/postgres-program.ts';
import {
  type IdentityWrapper,
  identitiesFor,
  inPlaceWrappers,
  type ProcessIdentity,
  runUnder,
} from '#kernel/db/embedded/process-identity.ts';

/** The program that PostgreSQL runs from, its data folder, and its user. */
export interface Placement {
  program: PostgresProgram;
  clusterFolder: string;
  identity: ProcessIdentity;
}

interface PlacementOptions {
  wrappers: readonly IdentityWrapper[];
  /** Folders that every user can enter, for program and data when the data folder is closed to others. */
  openFolders: readonly string[];
}

const ROOT = { uid: 0, gid: 0 };
const DEFAULT_OPTIONS: PlacementOptions = { wrappers: inPlaceWrappers, openFolders: ['/var/lib', tmpdir()] };

/** The database folder of a data folder; follows the link that an earlier move has left there. */
export async function locateCluster(dataFolder: string): Promise<string> {
  const expected = join(dataFolder, 'postgres');
  try {
    return await realpath(expected);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    if (!(await isPresent(expected))) return expected;
    throw new EmbeddedUnavailable(
      `${expected} links to a database folder that does not exist: restore it, or remove the link to start empty.`,
    );
  }
}

/** Finds a location and a user that PostgreSQL can run with, moving as little as possible. */
export async function choosePlacement(
  { program, dataFolder, log }: { program: PostgresProgram; dataFolder: string; log: (line: string) => void },
  options: PlacementOptions = DEFAULT_OPTIONS,
): Promise<Placement> {
  const clusterFolder = await locateCluster(dataFolder);
  const identities = await identitiesFor(clusterFolder, options.wrappers);
  const isComplete = await createLibraryLinks(program.folder);
  const localProgram = isComplete ? program : await copyProgram(program, dataFolder, log);
  const failures: string[] = [];
  const inPlace = await firstThatRuns(identities, { program: localProgram, clusterFolder }, failures);
  if (inPlace !== undefined) return inPlace;
  if (process.getuid?.() !== 0) {
    throw new EmbeddedUnavailable(
      `The PostgreSQL that npm installed does not run here (${reasonsOf(failures)}): ` +
        'set PARAPET_DATABASE_URL to a PostgreSQL server.',
    );
  }
  const openFolder = await claimOpenFolder(dataFolder, options.openFolders);
  if (openFolder !== undefined) {
    const copied = await copyProgram(program, openFolder, log);
    const programMoved = await firstThatRuns(identities, { program: copied, clusterFolder }, failures);
    if (programMoved !== undefined) return programMoved;
    const movedCluster = join(openFolder, 'postgres');
    const allMoved = await firstThatRuns(identities, { program: copied, clusterFolder: movedCluster }, failures);
    if (allMoved !== undefined && !(await isPresent(clusterFolder))) {
      log(`Other users cannot enter ${dataFolder} and PostgreSQL refuses to run as root: its data is in ${openFolder}`);
      return allMoved;
    }
    await rm(copied.folder, { recursive: true, force: true });
    await rmdir(openFolder).catch(() => undefined);
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and no other user can enter ${dataFolder} (${reasonsOf(failures)}): ` +
      'start Parapet as an ordinary user, or set PARAPET_DATABASE_URL to a PostgreSQL server.',
  );
}

function reasonsOf(failures: readonly string[]): string {
  return [...new Set(failures)].join('; ') || 'there is no account for it';
}

/** Creates a link in the data folder to a database elsewhere, so that later starts find it. */
export async function linkMovedCluster(dataFolder: string, clusterFolder: string): Promise<void> {
  const expected = join(dataFolder, 'postgres');
  if (await isPresent(expected)) return;
  await symlink(clusterFolder, expected).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
}

async function firstThatRuns(
  identities: readonly ProcessIdentity[],
  location: { program: PostgresProgram; clusterFolder: string },
  failures: string[],
): Promise<Placement | undefined> {
  const postgres = join(location.program.folder, 'bin', 'postgres');
  const command = 'cd "$2" && exec "$1" --version';
  for (const identity of identities) {
    const folder = dirname(location.clusterFolder);
    const failure = await runUnder(identity, ['/bin/sh', '-c', command, 'sh', postgres, folder]);
    if (failure === undefined) return { ...location, identity };
    failures.push(failure);
  }
  return undefined;
}

async function claimOpenFolder(dataFolder: string, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    const folder = join(candidate, `parapet-${folderFingerprint(dataFolder)}`);
    try {
      await claimFolder(folder, 0o711, ROOT);
      return folder;
    } catch {}
  }
  return undefined;
}

async function isPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
