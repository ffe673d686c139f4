import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDatabase, urlOf } from './database.ts';
import { isOutside } from './postgres-server.ts';

const MAIN = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url));

const running = new Set<Program>();
process.once('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/** The program as shipped, in its own process. */
export class Program {
  output = '';
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;

  constructor(settings: Record<string, string>, args: string[] = ['serve'], main = MAIN) {
    this.child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PARAPET_PORT: '0',
        PARAPET_JOBS: 'server',
        // The disk of the machine that runs the tests does not matter.
        PARAPET_MIN_FREE_DISK_MB: '0',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
    running.add(this);
    this.exited = new Promise((resolve) =>
      this.child.once('exit', (code) => {
        running.delete(this);
        resolve(code);
      }),
    );
  }

  /** The public URL, as soon as the program reports that it is ready. */
  async ready(): Promise<string> {
    const deadline = Date.now() + 180_000;
    while (Date.now() < deadline) {
      const url = /^parapet ready (\S+)$/m.exec(this.output)?.[1];
      if (url) return url;
      if (this.child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`The program did not become ready:\n${this.output}`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}

/** Where a program keeps its data, as settings: a data folder, and an outside database if the test run uses one. */
export type DataPlace = { PARAPET_DATA_DIR: string; PARAPET_DATABASE_URL?: string };

/** A data folder that is removed after the test, with all processes that a failure left running in it. */
export async function withDataFolder(work: (folder: string, place: DataPlace) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet e2e '));
  const database = isOutside ? await makeDatabase({ template: 'template0' }) : undefined;
  const place = {
    PARAPET_DATA_DIR: folder,
    ...(database ? { PARAPET_DATABASE_URL: urlOf(database.connection) } : {}),
  };
  try {
    await work(folder, place);
  } finally {
    for (const program of running) await program.stop('SIGKILL');
    const pidFile = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
    const [pid] = pidFile.split('\n');
    if (pid) process.kill(Number(pid), 'SIGQUIT');
    await database?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
