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
  /** The pid that the database folder still names although its server is gone. */
  stalePid: number | undefined;
}

const LOG_LIMIT_BYTES = 10_000_000;
const LAST_LINES = 8;

// Small on purpose: Node and PostgreSQL together stay below 300 MB when idle.
const defaultSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  ssl: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '60',
  shared_buffers: '128MB',
  huge_pages: 'off',
  io_method: 'sync',
  jit: 'off',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  // An import writes more at once than fits in the small default, and would wait for the disk with each page.
  wal_buffers: '16MB',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and details carry values of users, which do not belong in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Starts a server and waits until it answers; when it ends instead, hands back the last lines of its log. */
export async function launch(home: Placement, options: LaunchOptions): Promise<LaunchedServer | { lastWords: string }> {
  const host = await prepareSocketFolder(home.clusterFolder, home.identity.owner);
  const connection = connectionTo(host, PORT);
  const logStart = await makeRoomInLog(options.logFile);
  const child = await spawnServer(home, connection, options);
  const { pid } = child;
  // Asked rather than listened for, because a server that refuses its settings can end before anybody listens.
  const hasEnded = () => pid === undefined || child.exitCode !== null || child.signalCode !== null;
  // The server outlives us when we are killed, and the next start takes it over.
  child.unref();
  const isOver = async () => {
    // Another server may answer on the same socket while ours finds the folder taken and ends.
    const written = await readPidFile(home.clusterFolder);
    return hasEnded() || (written?.pid === pid && written?.isReady === true && (await acceptsConnections(connection)));
  };
  const isInTime = await waitUntil(isOver, AbortSignal.timeout(READY_TIMEOUT_MS));
  if (!isInTime) child.kill('SIGQUIT');
  if (hasEnded() || !isInTime || pid === undefined) return { lastWords: await lastWords(options.logFile, logStart) };
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
  // PostgreSQL takes a pid file for stale when it names this pid, so one that went to another process does not block.
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

async function makeRoomInLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= LOG_LIMIT_BYTES) return size;
  await rename(path, `${path}.1`);
  return 0;
}

async function lastWords(path: string, start: number): Promise<string> {
  const text = (await readFile(path)).subarray(start).toString('utf8').trim();
  return text.split('\n').slice(-LAST_LINES).join('\n');
}
