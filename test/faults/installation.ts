import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isPostmasterOf, readPidFile } from '#kernel/db/embedded/postmaster.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY = /^parapet ready (\S+)$/;
const PID = /\bpid (\d+)$/;

export type Settings = Record<string, string>;

export interface RunOptions {
  /** `serve` and `migrate` run the program directly; `npm start` runs it as an operator does. */
  command?: 'serve' | 'migrate' | 'npm start';
  settings?: Settings;
  nodeOptions?: readonly string[];
}

/** One run of the real program in its own process, which can be killed and timed. */
export class Run {
  readonly lines: string[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly #startedAt = performance.now();
  #baseUrl = '';
  #pid = 0;

  constructor(environment: Settings, { command = 'serve', nodeOptions = [] }: RunOptions) {
    const [file = '', ...args] =
      command === 'npm start'
        ? ['npm', 'start']
        : [process.execPath, ...nodeOptions, join(ROOT, 'src', 'server', 'main.ts'), command];
    this.child = spawn(file, args, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = once(this.child, 'exit').then(([code, signal]) => code ?? signal);
    // Reads and discards log lines, like a log collector.
    this.child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk[0] !== '{'.charCodeAt(0)) this.lines.push(chunk.toString('utf8').trimEnd());
    });
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on('line', (line) => this.#hear(line));
  }

  #hear(line: string): void {
    this.lines.push(line);
    this.#pid ||= Number(PID.exec(line)?.[1] ?? 0);
    const url = READY.exec(line)?.[1];
    if (url === undefined) return;
    this.#baseUrl = url;
    this.child.emit('ready');
  }

  /** Waits for the line with this text, and returns the time since the process was started. */
  async ready(): Promise<number> {
    const isReady = await Promise.race([once(this.child, 'ready').then(() => true), this.ended.then(() => false)]);
    if (!isReady) throw new Error(`The program did not start:\n${this.lines.join('\n')}`);
    return performance.now() - this.#startedAt;
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** The pid of the server itself, not of npm. */
  get pid(): number {
    return this.#pid || (this.child.pid ?? 0);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a signal and waits for the exit. Returns the exit code or signal, and the duration. */
  async end(signal: NodeJS.Signals): Promise<{ result: number | NodeJS.Signals; ms: number }> {
    const start = performance.now();
    if (this.isRunning) process.kill(this.pid, signal);
    const result = await this.ended;
    return { result, ms: performance.now() - start };
  }
}

/** A data folder on which the program is started, killed and started again. */
export class Installation {
  readonly folder: string;
  readonly #settings: Settings;

  private constructor(folder: string, settings: Settings) {
    this.folder = folder;
    this.#settings = settings;
  }

  static async make(settings: Settings = {}, parent = tmpdir()): Promise<Installation> {
    return new Installation(await mkdtemp(join(parent, 'parapet-run-')), {
      PARAPET_SETUP_ADMIN_EMAIL: 'admin@example.com',
      PARAPET_SETUP_ADMIN_PASSWORD: randomBytes(18).toString('base64url'),
      PARAPET_LIMIT_ADDRESS: '100000000',
      PARAPET_LIMIT_API: '100000000',
      PARAPET_LIMIT_WRITE: '100000000',
      ...settings,
    });
  }

  run(options: RunOptions = {}): Run {
    const { PATH = '', HOME = '' } = process.env;
    const environment = {
      PATH,
      HOME,
      PARAPET_DATA_DIR: this.folder,
      PARAPET_PORT: '0',
      PARAPET_SETUP_TOKEN_FILE: join(this.folder, 'token'),
      ...this.#settings,
      ...options.settings,
    };
    return new Run(environment, options);
  }

  async start(options: RunOptions = {}): Promise<Run> {
    const run = this.run(options);
    await run.ready();
    return run;
  }

  /** The token that the first start wrote. */
  async token(): Promise<string> {
    return (await readFile(join(this.folder, 'token'), 'utf8')).trim();
  }

  /** The pid of the embedded server and its connection as owner; undefined while none runs. */
  async postmaster(): Promise<{ pid: number; connection: pg.ClientConfig } | undefined> {
    const clusterFolder = join(this.folder, 'postgres');
    const written = await readPidFile(clusterFolder);
    return written && (await isPostmasterOf(written.pid, clusterFolder)) ? written : undefined;
  }

  /** Queries the tables as owner, without row-level security. */
  async query<Row extends object>(text: string, values: unknown[] = [], database = 'postgres'): Promise<Row[]> {
    const running = await this.postmaster();
    if (!running) throw new Error('PostgreSQL is not running.');
    const owner = new pg.Client({ ...running.connection, database });
    owner.on('error', () => undefined);
    await owner.connect();
    try {
      return (await owner.query<Row>(text, values)).rows;
    } finally {
      await owner.end();
    }
  }

  /** Ends the processes that a killed program left behind, and removes the folder. */
  async remove(): Promise<void> {
    const running = await this.postmaster();
    if (running) process.kill(running.pid, 'SIGQUIT');
    while (await this.postmaster()) await new Promise((resolve) => setTimeout(resolve, 20));
    await rm(this.folder, { recursive: true, force: true });
  }
}
