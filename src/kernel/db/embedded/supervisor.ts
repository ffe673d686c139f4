import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedOptions,
  type EmbeddedServer,
  type StopMode,
  startEmbedded,
} from '#kernel/db/embedded/embedded-server.ts';
import type { EmbeddedConnection } from '#kernel/db/embedded/postmaster.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5000;

/** The delay after a number of consecutive failed starts. */
export const restartDelayMs = (failures: number): number =>
  failures === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));

/** Keeps the embedded PostgreSQL running: restarts it whenever it ends unexpectedly. */
export class EmbeddedSupervisor {
  /** Stays valid across restarts, because the folder of the socket depends only on the data folder. */
  readonly connection: EmbeddedConnection;
  /** True when the server was already running. */
  readonly adopted: boolean;
  readonly #options: EmbeddedOptions;
  readonly #stopping = new AbortController();
  readonly #supervision: Promise<void>;
  #server: EmbeddedServer | undefined;

  static async start(options: EmbeddedOptions): Promise<EmbeddedSupervisor> {
    return new EmbeddedSupervisor(options, await startEmbedded(options));
  }

  private constructor(options: EmbeddedOptions, server: EmbeddedServer) {
    this.#options = options;
    this.#server = server;
    this.connection = server.connection;
    this.adopted = server.adopted;
    this.#supervision = this.#supervise(server);
  }

  /** Undefined during a restart. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Stops supervising and leaves the server running. */
  async release(): Promise<void> {
    this.#stopping.abort();
    await this.#supervision;
  }

  /** Stops the server, after a restart that is under way. */
  async stop(mode: StopMode): Promise<void> {
    await this.release();
    await this.#server?.stop(mode);
  }

  /** Kills the server without waiting; one that is just starting is taken over by the next start. */
  abandon(): void {
    this.#stopping.abort();
    this.#server?.abandon();
  }

  async #supervise(first: EmbeddedServer): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    let server: EmbeddedServer | undefined = first;
    while (server !== undefined) {
      await server.whenEnded(signal);
      if (signal.aborted) return;
      this.#server = undefined;
      log(`PostgreSQL (pid ${server.pid}) ended unexpectedly: restarting it`);
      server = await this.#restart();
      this.#server = server;
    }
  }

  async #restart(): Promise<EmbeddedServer | undefined> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const server = await startEmbedded(this.#options);
        log(`PostgreSQL runs again (pid ${server.pid})`);
        return server;
      } catch (error) {
        failures += 1;
        const delayMs = restartDelayMs(failures);
        const reason = error instanceof Error ? error.message : String(error);
        log(
          `PostgreSQL did not start (${failures} failures in a row), the next attempt is in ${delayMs} ms: ${reason}`,
        );
        await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    return undefined;
  }
}
