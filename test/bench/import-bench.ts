import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Installation, type Run, type RunOptions } from '#test/faults/installation.ts';
import { cpuMsOf, cpuMsOfSessions } from './cpu.ts';

export interface ImportCost {
  seconds: number;
  nodeMs: number;
  databaseMs: number;
  load: number;
}

/** The changes in the reply to an import. */
export type Counts = Record<'opened' | 'fixed' | 'reopened' | 'removed' | 'unchanged' | 'moved' | 'held', number>;

const STEADY_MS = 15_000;
const STEADY_MB = 5;
const SETTLE_LIMIT_MS = 120_000;
/** What Linux takes as the request to forget the peak of resident memory. */
const RESET_PEAK = '5';
const TABLES = ['finding', 'detection', 'fingerprint'];

/** The real program, which receives reports as from a CI pipeline. */
export class ImportBench {
  readonly program: Run;
  readonly deployment: string;
  readonly token: string;
  readonly #installation: Installation;
  readonly #owner: pg.Client;
  readonly #postmaster: number;

  private constructor(
    installation: Installation,
    made: { program: Run; deployment: string; token: string },
    owner: { client: pg.Client; postmaster: number },
  ) {
    this.#installation = installation;
    this.program = made.program;
    this.deployment = made.deployment;
    this.token = made.token;
    this.#owner = owner.client;
    this.#postmaster = owner.postmaster;
  }

  static async open(options: RunOptions = {}): Promise<ImportBench> {
    const installation = await Installation.make();
    const program = await installation.start(options);
    const running = await installation.postmaster();
    if (!running) throw new Error('PostgreSQL is not running.');
    const [found] = await installation.query<{ id: string }>('select id from deployment');
    const client = new pg.Client({ ...running.connection, database: 'postgres' });
    await client.connect();
    const made = { program, deployment: String(found?.id), token: await installation.token() };
    return new ImportBench(installation, made, { client, postmaster: running.pid });
  }

  /** Uploads a report. Rejects unless it was imported. */
  async send(
    report: Iterable<Buffer> | AsyncIterable<Buffer>,
    { project, commit }: { project: string; commit: string },
  ) {
    const query = new URLSearchParams({ project, commit, ref: 'main' });
    const sent = request(`${this.program.baseUrl}/api/v1/deployments/${this.deployment}/imports?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/sarif+json' },
    });
    const answered = once(sent, 'response').then(async ([response]: IncomingMessage[]) => {
      const text = Buffer.concat((await response?.toArray()) ?? []).toString();
      if (response?.statusCode === 200) return JSON.parse(text) as Counts;
      throw new Error(`The import failed with ${response?.statusCode}: ${text}`);
    });
    await Promise.all([pipeline(Readable.from(report), sent), answered]);
    return answered;
  }

  /** A list that is unrelated to findings. */
  listRequest() {
    return {
      baseUrl: this.program.baseUrl,
      method: 'POST',
      path: `/api/permissions/v2/deployments/${this.deployment}/teams/list`,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: '100' }),
    };
  }

  /** The wall-clock and CPU time of some work. */
  async timed(work: () => Promise<unknown>): Promise<ImportCost> {
    const used = () => ({ node: cpuMsOf(this.program.pid), database: cpuMsOfSessions(this.#postmaster) });
    const before = used();
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    const after = used();
    return {
      seconds,
      nodeMs: after.node - before.node,
      databaseMs: after.database - before.database,
      load: loadavg()[0] ?? Number.NaN,
    };
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#owner.query<Row>(text, values)).rows;
  }

  /** Truncates the tables of findings, as before a first import. */
  async clear(): Promise<void> {
    await this.query('truncate finding, fingerprint, detection cascade');
    await this.query('checkpoint');
  }

  /** Exports the rows of an import, and returns a function that restores exactly them with COPY. */
  async exportRows(): Promise<() => Promise<void>> {
    const copies: { table: string; list: string; file: string }[] = [];
    for (const table of TABLES) {
      const columns = await this.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped order by attnum`,
        [table],
      );
      const file = join(this.#installation.folder, 'postgres', `bench-${table}`);
      copies.push({ table, list: columns.map(({ name }) => name).join(', '), file });
    }
    for (const { table, list, file } of copies)
      await this.query(`copy (select ${list} from ${table} order by 1, 2, 3) to '${file}'`);
    return async () => {
      await this.query('begin');
      for (const { table, list, file } of copies) await this.query(`copy ${table} (${list}) from '${file}'`);
      await this.query('commit');
    };
  }

  /** Memory of the server process with all its threads: the current and the peak value. */
  memoryMb(): { now: number; most: number } {
    const status = readFileSync(`/proc/${this.program.pid}/status`, 'utf8');
    const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
    return { now: of('VmRSS'), most: of('VmHWM') };
  }

  /**
   * Waits until the program has returned the memory of its start, and forgets its peak: pages are rendered some seconds
   * after the start, which takes more memory than an import.
   */
  async settleMemory(): Promise<void> {
    let steady = { mb: this.memoryMb().now, since: performance.now() };
    const deadline = steady.since + SETTLE_LIMIT_MS;
    while (performance.now() - steady.since < STEADY_MS && performance.now() < deadline) {
      await sleep(500);
      const mb = this.memoryMb().now;
      if (Math.abs(mb - steady.mb) > STEADY_MB) steady = { mb, since: performance.now() };
    }
    writeFileSync(`/proc/${this.program.pid}/clear_refs`, RESET_PEAK);
  }

  async close(): Promise<void> {
    await this.#owner.end();
    await this.program.end('SIGTERM');
    await this.#installation.remove();
  }
}
