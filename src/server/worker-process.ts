import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workerEnvironment } from '#kernel/config/config.ts';
import { type Log, writeLogLine } from '#kernel/log/log.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;
/** A worker that ran for this long started well: the delays begin anew. */
const STABLE_MS = 60_000;
/** Longer than a worker takes to finish its jobs, return the others, and seal the audit chain. */
const STOP_MS = 20_000;

/** The delay before a worker is started again, after a number of short runs in a row. */
export const workerDelayMs = (failures: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));

export interface WorkerProcessOptions {
  /** The public origin, for links in mail. */
  baseUrl: string;
  log: Log;
}

/**
 * The worker process of a server: started with it, started again when it ends, and stopped with it. It reads the same
 * settings from its environment, so no secret is on a command line. Its log lines become lines of the server's log.
 */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;
  #supervision: Promise<void> = Promise.resolve();

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
  }

  /** Undefined while no worker runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#supervision = this.#supervise();
  }

  /** Lets the worker finish its jobs and waits for its end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_MS);
    await this.#supervision;
    clearTimeout(timer);
  }

  /** Ends the worker without waiting; others take over its jobs. */
  kill(): void {
    this.#stopping.abort();
    this.#child?.kill('SIGKILL');
  }

  async #supervise(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      const startedAt = performance.now();
      const result = await this.#run();
      if (signal.aborted) return;
      failures = performance.now() - startedAt > STABLE_MS ? 1 : failures + 1;
      const delayMs = workerDelayMs(failures);
      log.error({ ...result, delayMs }, 'The worker process ended and is started again.');
      await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Runs one process until it ends. */
  async #run(): Promise<{ code?: number; signal?: NodeJS.Signals; reason?: string }> {
    const { log, baseUrl } = this.#options;
    const child = fork(MAIN, ['worker'], {
      env: workerEnvironment(baseUrl),
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    log.info({ worker: child.pid }, 'started the worker process');
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => relay(log, line));
    try {
      const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      return { ...(code === null ? {} : { code }), ...(signal ? { signal } : {}) };
    } catch (error) {
      return { reason: (error as Error).message };
    } finally {
      this.#child = undefined;
    }
  }
}

function relay(log: Log, line: string): void {
  if (line.startsWith('{') && line.endsWith('}')) writeLogLine(log, line);
  else if (line !== '') log.warn({ process: 'worker' }, line);
}
