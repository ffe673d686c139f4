import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#kernel/log/log.ts';
import { failureText } from './failure-text.ts';
import { CHANNEL } from './job.ts';

const RETRY_MS = 1000;

export interface JobListenerOptions {
  connection: pg.ClientConfig;
  /** Called for every notice, and after each connect for notices that were missed. */
  onNotice: () => void;
  log: Log;
}

/** Listens for new jobs on a connection of its own, and reconnects when it breaks. */
export class JobListener {
  readonly #options: JobListenerOptions;
  readonly #stopping = new AbortController();
  #client: pg.Client | undefined;
  #listening = Promise.resolve();

  constructor(options: JobListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#listening = this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#session();
      } catch (error) {
        this.#options.log.warn(
          { reason: failureText(error) },
          'Cannot listen for new jobs; they are found by polling.',
        );
      }
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Ends when the connection does. */
  async #session(): Promise<void> {
    const { connection, onNotice } = this.#options;
    const client = new pg.Client({
      ...connection,
      options: '-c role=parapet_background',
      application_name: 'parapet-wake',
      keepAlive: true,
      connectionTimeoutMillis: 5000,
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    // Without a listener a restart of the database would end the process; `end` is enough.
    client.on('error', () => undefined);
    client.on('notification', onNotice);
    this.#client = client;
    try {
      // A client that is ended while it connects never settles its connect.
      await Promise.race([client.connect(), ended]);
      if (this.#stopping.signal.aborted) return;
      await client.query(`listen ${CHANNEL}`);
      if (!this.#stopping.signal.aborted) {
        onNotice();
        await ended;
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
