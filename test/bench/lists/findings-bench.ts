import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { columnTypes } from '#kernel/db/database.ts';
import { Tx } from '#kernel/db/tx.ts';
import { Installation, type Run } from '#test/faults/installation.ts';
import { median } from '../figure.ts';
import { insertFindings, insertProjects } from './insert-findings.ts';

const ROUNDS = 40;

/** A deployment whose findings are inserted by SQL, because reads are measured and not imports. */
export class FindingsBench {
  readonly #installation: Installation;
  readonly #client: pg.Client;
  readonly #program: Run;
  readonly #token: string;
  readonly deployment: string;

  private constructor(parts: {
    installation: Installation;
    client: pg.Client;
    program: Run;
    token: string;
    deployment: string;
  }) {
    this.#installation = parts.installation;
    this.#client = parts.client;
    this.#program = parts.program;
    this.#token = parts.token;
    this.deployment = parts.deployment;
  }

  static async open(): Promise<FindingsBench> {
    const installation = await Installation.make();
    const program = await installation.start();
    const running = await installation.postmaster();
    if (!running) throw new Error('PostgreSQL is not running.');
    const client = new pg.Client({ ...running.connection, types: columnTypes });
    await client.connect();
    const deployment = String((await client.query('select id from deployment')).rows[0]?.id);
    await insertProjects(client, deployment);
    await client.query("select set_config('parapet.deployment', $1, false)", [deployment]);
    const token = await installation.token();
    return new FindingsBench({ installation, client, program, token, deployment });
  }

  /** Inserts findings up to this number, over two years, with detections on the primary ref. */
  async fill(from: number, to: number): Promise<void> {
    await insertFindings(this.#client, this.deployment, { from, to });
    await this.#client.query('vacuum analyze');
    await this.#folded();
  }

  /** A job folds tallies after inserts. Nothing is measured while it runs. */
  async #folded(): Promise<void> {
    const left = 'select from finding_tally where not is_compacted limit 1';
    while ((await this.#client.query(left)).rowCount !== 0) await pause(1000);
    await this.#client.query('vacuum analyze finding_tally, finding_hour');
  }

  async call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#program.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const reply = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(reply));
    return reply;
  }

  /** A GET request, which must be answered with 200. */
  async get(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#program.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    });
    const reply = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(reply));
    return reply;
  }

  tx(): Tx {
    return new Tx(this.#client);
  }

  bare(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#client.query(text, values);
  }

  async close(): Promise<void> {
    await this.#client.end();
    // Otherwise it would restart PostgreSQL while the folder is removed.
    await this.#program.end('SIGTERM');
    await this.#installation.remove();
  }
}

/** The median time of a call, after one that is not counted. */
export async function timed(work: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
