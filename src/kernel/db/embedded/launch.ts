import type { ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from '#kernel/db/embedded/placement.ts';
import {
  acceptsConnections,
  connectionTo,
  type EmbeddedConnection,
  PORT,
  type Postmaster,
  prepareSocketFolder,
  READY_TIMEOUT_MS,
  readPidFile,
  waitUntil,
} from '#kernel/db/embedded/postmaster.ts';
import { spawnUnder } from '#kernel/db/embedded/process-identity.ts';

export interface LaunchedServer extends Postmaster {
  ended: Promise<void>;
}

export interface LaunchOptions {
  logFile: string;
  log: (line: string) => void;
  settings: Record<string, string>;
  /** The pid in the database folder of a server that no longer runs. */
  stalePid: number | undefined;
}

const MAX_LOG_BYTES = 10_000_000;
const MAX_LOG_LINES = 8;

// Small, so that Node and PostgreSQL together need less than 300 MB when idle.
const defaultSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  ssl: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // A server, its worker, and a command beside them.
  max_connections: '80',
  shared_buffers: '128MB',
  huge_pages: 'off',
  io_method: 'sync',
  jit: 'off',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  // An import writes more at once than fits into the small default, and would wait for the disk at each page.
  wal_buffers: '16MB',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and details contain values of users, which must not be logged.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Starts a server and waits until it accepts connections; if it exits instead, returns the last lines of its log. */
export async function launch(
  home: Placement,
  options: LaunchOptions,
): Promise<LaunchedServer | { lastLogLines: string }> {
  const host = await prepareSocketFolder(home.clusterFolder, home.identity.owner);
  const connection = connectionTo(host, PORT);
  const logStart = await rotateLog(options.logFile);
  const child = await spawnServer(home, connection, options);
  const { pid } = child;
  // Polled, because a server that refuses its settings can exit before a listener is attached.
  const hasEnded = () => pid === undefined || child.exitCode !== null || child.signalCode !== null;
  // The server survives when this process is killed, and the next start takes it over.
  child.unref();
  const isDecided = async () => {
    // Another server may answer on the same socket while ours exits because the folder is in use.
    const written = await readPidFile(home.clusterFolder);
    return hasEnded() || (written?.pid === pid && written?.isReady === true && (await acceptsConnections(connection)));
  };
  const isInTime = await waitUntil(isDecided, AbortSignal.timeout(READY_TIMEOUT_MS));
  if (!isInTime) child.kill('SIGQUIT');
  if (hasEnded() || !isInTime || pid === undefined)
    return { lastLogLines: await lastLogLines(options.logFile, logStart) };
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (code !== 0)
        options.log(`PostgreSQL (pid ${pid}) ended with ${signal ?? `code ${code}`}: see ${options.logFile}`);
      resolve();
    });
  });
  return { pid, connection, ended };
}

async function spawnServer(
  home: Placement,
  connection: EmbeddedConnection,
  options: LaunchOptions,
): Promise<ChildProcess> {
  const settings = {
    ...defaultSettings,
    unix_socket_directories: `"${connection.host.replaceAll('"', '""')}"`,
    port: String(connection.port),
    ...options.settings,
  };
  const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // PostgreSQL treats a pid file with this pid as stale, so a pid that another process has now does not block the
  // start.
  const environment = options.stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(options.stalePid) };
  const output = await open(options.logFile, 'a', 0o600);
  try {
    const postgres = join(home.program.folder, 'bin', 'postgres');
    return spawnUnder(home.identity, [postgres, '-D', home.clusterFolder, ...parameters], {
      stdio: ['ignore', output.fd, output.fd],
      environment,
    });
  } finally {
    await output.close();
  }
}

async function rotateLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MAX_LOG_BYTES) return size;
  await rename(path, `${path}.1`);
  return 0;
}

async function lastLogLines(path: string, start: number): Promise<string> {
  const text = (await readFile(path)).subarray(start).toString('utf8').trim();
  return text.split('\n').slice(-MAX_LOG_LINES).join('\n');
}
