import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { SUPERUSER } from '#kernel/db/embedded/cluster.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { claimFolder, type FolderOwner, folderFingerprint } from '#kernel/db/embedded/folders.ts';

/** The connection options of the embedded server for pg's Client and Pool. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface Postmaster {
  pid: number;
  connection: EmbeddedConnection;
}

interface PidFile extends Postmaster {
  /** False while the server recovers or stops; connection attempts would only fill its log. */
  isReady: boolean;
}

export const PORT = 5432;
/** Recovery after a crash replays the write-ahead log, which takes a while on a slow disk. */
export const READY_TIMEOUT_MS = 300_000;
const POLL_MS = 20;
// The limit of macOS, which is smaller than that of Linux.
const SOCKET_PATH_LIMIT_BYTES = 103;
const MAX_EMPTY_FILE_MS = 1000;

const execFileAsync = promisify(execFile);

/** The server that runs on a database folder, after it has started or stopped; otherwise the pid in its pid file. */
export async function findRunning(clusterFolder: string): Promise<Postmaster | { stalePid: number | undefined }> {
  const deadline = AbortSignal.timeout(READY_TIMEOUT_MS);
  while (!deadline.aborted) {
    const pidFile = await readPidFile(clusterFolder);
    if (pidFile === undefined) return { stalePid: undefined };
    const isAnswering = pidFile.isReady && (await acceptsConnections(pidFile.connection));
    // Another process may have started a server, which writes its own pid before it accepts connections.
    if ((await readPidFile(clusterFolder))?.pid !== pidFile.pid) continue;
    const isOurs = await isPostmasterOf(pidFile.pid, clusterFolder);
    if (isOurs && isAnswering) return { pid: pidFile.pid, connection: pidFile.connection };
    if (isAnswering) {
      throw new EmbeddedUnavailable(
        `A PostgreSQL on another machine or in another container runs on ${clusterFolder}: ` +
          'stop the Parapet that uses it.',
      );
    }
    if (!isOurs) return { stalePid: pidFile.pid };
    await sleep(POLL_MS);
  }
  throw new EmbeddedUnavailable(`The PostgreSQL that runs on ${clusterFolder} does not answer: stop it and try again.`);
}

/** Reads the pid file of a database folder; a file that stays empty is left over from a crash and removed. */
export async function readPidFile(clusterFolder: string): Promise<PidFile | undefined> {
  const path = join(clusterFolder, 'postmaster.pid');
  const deadline = AbortSignal.timeout(MAX_EMPTY_FILE_MS);
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const [pid, , , port, host, , , status] = text.split('\n');
    if (Number(pid) > 0) {
      const connection = connectionTo(host || clusterFolder, Number(port) || PORT);
      return { pid: Number(pid), connection, isReady: status?.startsWith('ready') === true };
    }
    if (deadline.aborted) await rm(path, { force: true });
    else await sleep(POLL_MS);
  }
}

/** Tells whether a process is the server of this database folder, and not another one with a reused pid. */
export async function isPostmasterOf(pid: number, clusterFolder: string): Promise<boolean> {
  return `${await commandLine(pid)} `.includes(`/postgres -D ${clusterFolder} `);
}

/** The folder of the program of a running server. */
export async function programFolderOf(pid: number): Promise<string> {
  const [program = ''] = (await commandLine(pid)).split(' -D ', 1);
  return dirname(program);
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      return text.replaceAll('\0', ' ');
    }
    const { stdout } = await execFileAsync('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.trim();
  } catch {
    return '';
  }
}

/** Tells whether a server accepts connections. */
export async function acceptsConnections(connection: EmbeddedConnection): Promise<boolean> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 5000 });
  // Without a listener, a session that the server closes would end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function connectionTo(host: string, port: number): EmbeddedConnection {
  return { host, port, user: SUPERUSER, database: 'postgres' };
}

/** The folder of the socket: the database folder, or a shorter one when the path would be too long. */
export async function prepareSocketFolder(clusterFolder: string, owner: FolderOwner): Promise<string> {
  const path = join(clusterFolder, `.s.PGSQL.${PORT}`);
  if (Buffer.byteLength(path) <= SOCKET_PATH_LIMIT_BYTES) return clusterFolder;
  // Not TMPDIR, which can itself be long or closed to other users.
  const folder = `/tmp/parapet-${folderFingerprint(clusterFolder)}`;
  await claimFolder(folder, 0o700, owner);
  return folder;
}

/** Waits until a check succeeds; false when the deadline passes first. */
export async function waitUntil(check: () => Promise<boolean>, deadline?: AbortSignal): Promise<boolean> {
  while (!(await check())) {
    if (deadline?.aborted) return false;
    await sleep(POLL_MS);
  }
  return true;
}
