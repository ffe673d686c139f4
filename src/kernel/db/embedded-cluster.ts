import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { giveTo, hasCode, makeWhole } from '#kernel/db/embedded-files.ts';
import type { Home } from '#kernel/db/embedded-home.ts';
import { failureUnder } from '#kernel/db/embedded-identity.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded-unavailable.ts';

export const SUPERUSER = 'postgres';

/** Whether the database folder holds a database; throws when it holds one that this program or user cannot run. */
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
      `The database in ${clusterFolder} was made by PostgreSQL ${found} and this Parapet brings PostgreSQL ${major}: ` +
        `start the Parapet that made it, or set PARAPET_DATABASE_URL to a PostgreSQL ${found} that holds these data.`,
    );
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    if ((await readdir(clusterFolder).catch(() => [])).length === 0) return false;
    throw new EmbeddedUnavailable(
      `${clusterFolder} holds files but no database: empty it or choose another data folder.`,
    );
  }
}

/** Makes the database folder when there is none yet, and gives it to the user that PostgreSQL will run as. */
export async function prepareCluster(home: Home, options: { isNew: boolean; isSynced: boolean }): Promise<void> {
  const { clusterFolder, identity, program } = home;
  if (options.isNew) {
    await makeWhole(clusterFolder, async (folder) => {
      await giveTo(identity.owner, folder);
      const failure = await failureUnder(identity, [
        join(program.folder, 'bin', 'initdb'),
        `--pgdata=${folder}`,
        `--username=${SUPERUSER}`,
        '--locale=C',
        '--encoding=UTF8',
        '--data-checksums',
        // Only this user and root can enter the folder of the socket, and nothing listens elsewhere.
        '--auth=trust',
        '--no-instructions',
        ...(options.isSynced ? [] : ['--no-sync']),
      ]);
      if (failure !== undefined) {
        throw new EmbeddedUnavailable(`PostgreSQL could not make its database in ${clusterFolder}: ${failure}`);
      }
    });
  }
  await giveTo(identity.owner, clusterFolder);
  // PostgreSQL refuses the wider mode that a restored copy often has.
  await chmod(clusterFolder, 0o700);
}
