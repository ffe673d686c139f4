import { once } from 'node:events';
import { access, constants, mkdir, realpath, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCluster, prepareCluster } from '#kernel/db/embedded/cluster.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { hasErrorCode } from '#kernel/db/embedded/folders.ts';
import { launch } from '#kernel/db/embedded/launch.ts';
import { choosePlacement, linkMovedCluster, locateCluster } from '#kernel/db/embedded/placement.ts';
import { locateProgram } from '#kernel/db/embedded/postgres-program.ts';
import {
  type EmbeddedConnection,
  findRunning,
  isPostmasterOf,
  type Postmaster,
  programFolderOf,
  waitUntil,
} from '#kernel/db/embedded/postmaster.ts';

export type StopMode = 'fast' | 'immediate';

const WATCH_MS = 500;
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export interface EmbeddedServer {
  connection: EmbeddedConnection;
  /** True when a server left over from a killed process was taken over. */
  adopted: boolean;
  /** The actual folders of data and binaries; they move when the unprivileged user cannot enter the clone. */
  dataFolder: string;
  binaryFolder: string;
  pid: number;
  /** Resolves when the server has ended, or when the signal is aborted. */
  whenEnded(signal: AbortSignal): Promise<void>;
  stop(mode: StopMode): Promise<void>;
  /** Kills the server without waiting. */
  abandon(): void;
}

export interface EmbeddedOptions {
  dataFolder: string;
  log: (line: string) => void;
  settings?: Record<string, string>;
}

/** Starts the PostgreSQL that npm installed on a data folder, or takes over the one that already runs there. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, settings = {} } = options;
  const program = await locateProgram();
  const dataFolder = await openDataFolder(options.dataFolder);
  const existing = await takeOver(await locateCluster(dataFolder), program.major, log);
  if ('stop' in existing) return existing;

  const home = await choosePlacement({ program, dataFolder, log });
  const { clusterFolder } = home;
  const isNew = !(await hasCluster(clusterFolder, program.major));
  if (isNew) log(`Creating the database in ${clusterFolder} (first start)`);
  await prepareCluster(home, { isNew, isSynced: settings['fsync'] !== 'off' });
  await linkMovedCluster(dataFolder, clusterFolder);

  const { stalePid } = existing;
  const launched = await launch(home, { logFile: join(dataFolder, 'postgres.log'), log, settings, stalePid });
  if ('pid' in launched) return serverOn(clusterFolder, launched, launched.ended);
  const other = await takeOver(clusterFolder, program.major, log);
  if ('stop' in other) return other;
  throw new EmbeddedUnavailable(`PostgreSQL could not start on ${clusterFolder}:\n${launched.lastLogLines}`);
}

async function openDataFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (error) {
    throw new EmbeddedUnavailable(`The data folder ${folder} cannot be used: ${String(Object(error).message)}.`);
  }
}

async function takeOver(
  clusterFolder: string,
  major: string,
  log: (line: string) => void,
): Promise<EmbeddedServer | { stalePid: number | undefined }> {
  if (!(await hasCluster(clusterFolder, major))) return { stalePid: undefined };
  const found = await findRunning(clusterFolder);
  if (!('connection' in found)) return found;
  log(`Using the PostgreSQL (pid ${found.pid}) that already runs on ${clusterFolder}`);
  return serverOn(clusterFolder, found);
}

async function serverOn(
  clusterFolder: string,
  { pid, connection }: Postmaster,
  ended?: Promise<void>,
): Promise<EmbeddedServer> {
  const isGone = async () => !(await isPostmasterOf(pid, clusterFolder));
  return {
    connection,
    adopted: ended === undefined,
    dataFolder: dirname(clusterFolder),
    binaryFolder: await programFolderOf(pid),
    pid,
    whenEnded: (signal) => (ended === undefined ? watchFor(isGone, signal) : Promise.race([ended, abortOf(signal)])),
    abandon: () => signalTo(pid, STOP_SIGNALS.immediate),
    async stop(mode) {
      if (!(await isGone())) signalTo(pid, STOP_SIGNALS[mode]);
      await waitUntil(isGone);
      // Removes only a separate socket folder, which is empty now.
      await rmdir(connection.host).catch(() => undefined);
    },
  };
}

/** Polls, because the end of a process that is not our child is not reported. */
async function watchFor(isGone: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isGone())) {
    await sleep(WATCH_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

function signalTo(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
