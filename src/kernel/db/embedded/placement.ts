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

/** Where PostgreSQL runs from, where its data are and as whom it runs. */
export interface Placement {
  program: PostgresProgram;
  clusterFolder: string;
  identity: ProcessIdentity;
}

interface Ways {
  wrappers: readonly IdentityWrapper[];
  /** Folders that every user can enter, for the program and data that must leave a closed folder. */
  openFolders: readonly string[];
}

const ROOT = { uid: 0, gid: 0 };
const allWays: Ways = { wrappers: inPlaceWrappers, openFolders: ['/var/lib', tmpdir()] };

/** The database folder of a data folder, after any link that an earlier move to an open place left there. */
export async function locateCluster(dataFolder: string): Promise<string> {
  const expected = join(dataFolder, 'postgres');
  try {
    return await realpath(expected);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    if (!(await isPresent(expected))) return expected;
    throw new EmbeddedUnavailable(
      `${expected} links to a database folder that is gone: bring it back, or remove the link to begin empty.`,
    );
  }
}

/** Finds a place and an identity that PostgreSQL can run under, moving as little as possible. */
export async function choosePlacement(
  { program, dataFolder, log }: { program: PostgresProgram; dataFolder: string; log: (line: string) => void },
  ways: Ways = allWays,
): Promise<Placement> {
  const clusterFolder = await locateCluster(dataFolder);
  const identities = await identitiesFor(clusterFolder, ways.wrappers);
  const isComplete = await createLibraryLinks(program.folder);
  const nearProgram = isComplete ? program : await copyProgram(program, dataFolder, log);
  const failures: string[] = [];
  const here = await firstThatRuns(identities, { program: nearProgram, clusterFolder }, failures);
  if (here !== undefined) return here;
  if (process.getuid?.() !== 0) {
    throw new EmbeddedUnavailable(
      `The PostgreSQL that npm brought does not run here (${why(failures)}): ` +
        'set PARAPET_DATABASE_URL to a PostgreSQL server.',
    );
  }
  const openFolder = await claimOpenFolder(dataFolder, ways.openFolders);
  if (openFolder !== undefined) {
    const copied = await copyProgram(program, openFolder, log);
    const halfMoved = await firstThatRuns(identities, { program: copied, clusterFolder }, failures);
    if (halfMoved !== undefined) return halfMoved;
    const movedCluster = join(openFolder, 'postgres');
    const moved = await firstThatRuns(identities, { program: copied, clusterFolder: movedCluster }, failures);
    if (moved !== undefined && !(await isPresent(clusterFolder))) {
      log(
        `Other users cannot enter ${dataFolder} and PostgreSQL refuses to run as root: its data are in ${openFolder}`,
      );
      return moved;
    }
    await rm(copied.folder, { recursive: true, force: true });
    await rmdir(openFolder).catch(() => undefined);
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root and found no other way into ${dataFolder} (${why(failures)}): ` +
      'start Parapet as an ordinary user, or set PARAPET_DATABASE_URL to a PostgreSQL server.',
  );
}

function why(failures: readonly string[]): string {
  return [...new Set(failures)].join('; ') || 'no account for it';
}

/** Leaves a link in the data folder to a database that lives elsewhere, so that every later start finds it. */
export async function linkMovedCluster(dataFolder: string, clusterFolder: string): Promise<void> {
  const expected = join(dataFolder, 'postgres');
  if (await isPresent(expected)) return;
  await symlink(clusterFolder, expected).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  });
}

async function firstThatRuns(
  identities: readonly ProcessIdentity[],
  place: { program: PostgresProgram; clusterFolder: string },
  failures: string[],
): Promise<Placement | undefined> {
  const postgres = join(place.program.folder, 'bin', 'postgres');
  const enterAndAsk = 'cd "$2" && exec "$1" --version';
  for (const identity of identities) {
    const folder = dirname(place.clusterFolder);
    const failure = await runUnder(identity, ['/bin/sh', '-c', enterAndAsk, 'sh', postgres, folder]);
    if (failure === undefined) return { ...place, identity };
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
