import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { changeOwner, createFolderAtomically, hasErrorCode } from '#kernel/db/embedded/folders.ts';
import type { Placement } from '#kernel/db/embedded/placement.ts';
import { runUnder } from '#kernel/db/embedded/process-identity.ts';

export const SUPERUSER = 'postgres';

/** Tells whether the folder contains a database; throws when this program or user cannot run it. */
export async function hasCluster(clusterFolder: string, major: string): Promise<boolean> {
  try {
    const { uid } = await stat(clusterFolder);
    const ourUid = process.getuid?.() ?? 0;
    if (ourUid !== 0 && uid !== ourUid) {
      throw new EmbeddedUnavailable(
        `The database in ${clusterFolder} belongs to uid ${uid} and Parapet runs as uid ${ourUid}: ` +
          'start it as that user.',
      );
    }
    const found = (await readFile(join(clusterFolder, 'PG_VERSION'), 'utf8')).trim();
    if (found === major) return true;
    throw new EmbeddedUnavailable(
      `The database in ${clusterFolder} was created by PostgreSQL ${found}, and this Parapet contains ` +
        `PostgreSQL ${major}: ` +
        `start the Parapet that created it, or set PARAPET_DATABASE_URL to a PostgreSQL ${found} with its data.`,
    );
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    if ((await readdir(clusterFolder).catch(() => [])).length === 0) return false;
    throw new EmbeddedUnavailable(
      `${clusterFolder} contains files but no database: empty it or choose another data folder.`,
    );
  }
}

/** Creates the database folder when there is none, and makes the user of PostgreSQL its owner. */
export async function prepareCluster(home: Placement, options: { isNew: boolean; isSynced: boolean }): Promise<void> {
  const { clusterFolder, identity, program } = home;
  if (options.isNew) {
    await createFolderAtomically(clusterFolder, async (folder) => {
      await changeOwner(identity.owner, folder);
      const failure = await runUnder(identity, [
        join(program.folder, 'bin', 'initdb'),
        `--pgdata=${folder}`,
        `--username=${SUPERUSER}`,
        '--locale=C',
        '--encoding=UTF8',
        '--data-checksums',
        // Only this user and root can enter the folder of the socket, and there is no other listener.
        '--auth=trust',
        '--no-instructions',
        ...(options.isSynced ? [] : ['--no-sync']),
      ]);
      if (failure !== undefined) {
        throw new EmbeddedUnavailable(`PostgreSQL could not create its database in ${clusterFolder}: ${failure}`);
      }
    });
  }
  await changeOwner(identity.owner, clusterFolder);
  // PostgreSQL refuses a wider mode, which a restored copy often has.
  await chmod(clusterFolder, 0o700);
}
