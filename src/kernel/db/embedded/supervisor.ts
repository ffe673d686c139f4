import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  type StopMode,
  startEmbedded,
} from '#kernel/db/embedded/embedded-server.ts';
import type { EmbeddedConnection } from '#kernel/db/embedded/postmaster.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** How long to wait after a number of starts that failed in a row. */
export const restartDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));

/** Keeps the embedded PostgreSQL running: whenever it ends without being told to, it is started again. */
export class EmbeddedSupervisor {
  /** Stays true over restarts, because the folder of the socket follows from the data folder. */
  readonly connection: EmbeddedConnection;
  /** True when the first server was found running. */
  readonly adopted: boolean;
  readonly #options: EmbeddedOptions;
  readonly #leaving = new AbortController();
  readonly #keeping: Promise<void>;
  #server: EmbeddedServer | undefined;

  static async start(options: EmbeddedOptions): Promise<EmbeddedSupervisor> {
    return new EmbeddedSupervisor(options, await startEmbedded(options));
  }

  private constructor(options: EmbeddedOptions, server: EmbeddedServer) {
    this.#options = options;
    this.#server = server;
    this.connection = server.connection;
    this.adopted = server.adopted;
    this.#keeping = this.#keep(server);
  }

  /** Undefined while it is being started again. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Ends the keeping and leaves the server running. */
  async release(): Promise<void> {
    this.#leaving.abort();
    await this.#keeping;
  }

  /** Stops the server, after the start that may just be under way. */
  async stop(mode: StopMode): Promise<void> {
    await this.release();
    await this.#server?.stop(mode);
  }

  /** Tells the server to end at once, without waiting; one that is just starting is found by the next start. */
  abandon(): void {
    this.#leaving.abort();
    this.#server?.abandon();
  }

  async #keep(first: EmbeddedServer): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#leaving;
    let server: EmbeddedServer | undefined = first;
    while (server !== undefined) {
      await server.whenEnded(signal);
      if (signal.aborted) return;
      this.#server = undefined;
      log(`PostgreSQL (pid ${server.pid}) ended although nobody stopped it: starting it again`);
      server = await this.#startAgain();
      this.#server = server;
    }
  }

  async #startAgain(): Promise<EmbeddedServer | undefined> {
    const { log } = this.#options;
    const { signal } = this.#leaving;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const server = await startEmbedded(this.#options);
        log(`PostgreSQL runs again (pid ${server.pid})`);
        return server;
      } catch (error) {
        failures += 1;
        const pauseMs = restartDelayMs(failures);
        const why = error instanceof Error ? error.message : String(error);
        log(`PostgreSQL did not start (${failures} in a row), the next try is in ${pauseMs} ms: ${why}`);
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    return undefined;
  }
}
