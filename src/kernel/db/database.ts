import type { Socket } from 'node:net';
import pg from 'pg';
import { Semaphore, SemaphoreFull } from '#kernel/concurrency/semaphore.ts';
import { Outage, StatementTimeout, StorageFull } from '#kernel/contract/fault.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import { prepareScope } from './query/scoped-query.ts';
import { Tx } from './tx.ts';

/**
 * The database roles of the program; none owns a table or bypasses row-level security. `app` sees one deployment at a
 * time; `auth` sees what identifies callers, before a deployment is known; `background` sees what work over all
 * deployments needs: jobs, the audit chain, and retention.
 */
export type DatabaseRole = 'app' | 'auth' | 'background';

export interface TransactionOptions {
  role: DatabaseRole;
  deployment?: string;
  isRead: boolean;
  /** For imports: may take minutes, and is not retried, because its rows can be read only once. */
  isLong?: boolean;
  /** Ends the transaction, and the statement that it runs, when aborted. */
  signal?: AbortSignal;
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;

/** Converts PostgreSQL's ISO style in UTC to RFC 3339. */
const rfc3339 = (text: string) => text.replace(' ', 'T').replace(/\+00$/, 'Z');

/** How the values of columns are read; every connection that a `Tx` uses needs it. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return String;
    if (oid === TIMESTAMPTZ) return rfc3339;
    return pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};

const STATEMENT_TIMEOUT_MS = 10_000;

const settingsOf = (role: DatabaseRole) =>
  [
    `role=parapet_${role}`,
    'timezone=UTC',
    'datestyle=ISO',
    'default_transaction_isolation=read\\ committed',
    // Statements are short: compiling one takes longer than running it.
    'jit=off',
    // Ends the statements of a server that was killed.
    'client_connection_check_interval=2000',
    `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    'idle_in_transaction_session_timeout=30000',
    'lock_timeout=8000',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const QUERY_CANCELED = '57014';
const ATTEMPTS = 4;
/** Of one deployment. */
export const MAX_WAITING_IMPORTS = 100;
const IMPORT_RETRY_SECONDS = 10;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;
const isWorthRetrying = (error: unknown) => [SERIALIZATION_FAILURE, DEADLOCK].includes(String(codeOf(error)));

const DISK_FULL = '53100';
/** SQLSTATE classes of temporary failures: connection, resources other than disk space, shutdown, timeouts. */
const OUTAGE_STATES = /^(08|53(?!100)|57|58|55P03|25006)/;
const OUTAGE_ERRORS =
  /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EACCES)|Connection terminated|timeout exceeded|Client has encountered|not queryable/;

function isOutage(error: unknown): boolean {
  const code = String(codeOf(error) ?? '');
  const message = error instanceof Error ? error.message : '';
  return OUTAGE_STATES.test(code) || OUTAGE_ERRORS.test(code || message) || OUTAGE_ERRORS.test(message);
}

/** The error for callers: an outage can pass within seconds, a full disk or a statement that takes too long cannot. */
function failureOf(error: unknown): unknown {
  if (codeOf(error) === QUERY_CANCELED) return new StatementTimeout(error);
  if (codeOf(error) === DISK_FULL) return new StorageFull('the disk of the database is full', error);
  return isWorthRetrying(error) || isOutage(error) ? new Outage('database', error) : error;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Few enough that most connections stay available for requests. */
export const maxConcurrentImports = (poolMax: number): number => Math.max(1, Math.floor(poolMax / 8));

export interface DatabaseOptions {
  connection: pg.ClientConfig;
  poolMax: number;
  onError: (error: Error) => void;
}

/** The connection pools, and the only way to open a transaction. */
export class Database {
  readonly #pools: Record<DatabaseRole, pg.Pool>;
  /** Limits the imports at once: they take long and would otherwise use all connections. */
  readonly #imports: Semaphore;
  #isClosed = false;

  constructor({ connection, poolMax, onError }: DatabaseOptions) {
    const pool = (role: DatabaseRole, max: number) => {
      const created = new pg.Pool({
        ...connection,
        max,
        types: columnTypes,
        pipeline: true,
        options: settingsOf(role),
        connectionTimeoutMillis: 1800,
        idleTimeoutMillis: 60_000,
        application_name: `parapet-${role}`,
      });
      created.on('error', (error) => {
        // The pool attaches the session to the error, with its cancellation key, which must not be logged.
        Reflect.deleteProperty(error, 'client');
        // The database may be stopped before it has read that a session ends.
        if (!this.#isClosed) onError(error);
      });
      created.on('connect', (client) => {
        // The pool handles errors of idle sessions only; without a listener, the loss of a busy one would end the
        // process.
        client.on('error', () => undefined);
        prepareScope(client).catch(() => undefined);
      });
      return created;
    };
    this.#imports = new Semaphore({ maxRunning: maxConcurrentImports(poolMax), maxWaiting: MAX_WAITING_IMPORTS });
    this.#pools = {
      app: pool('app', poolMax),
      auth: pool('auth', Math.max(2, Math.ceil(poolMax / 2))),
      background: pool('background', 4),
    };
  }

  /**
   * Runs the work in one transaction, or each statement in its own when it only reads. After a deadlock the work is
   * retried, so it must have no effects outside the database.
   */
  transaction<Result>(options: TransactionOptions, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return options.isLong ? this.#import(options, work) : this.#attempt(options, work, ATTEMPTS);
  }

  async #import<Result>(options: TransactionOptions, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      const { deployment = '', signal } = options;
      return await this.#imports.run(() => this.#attempt(options, work, 1), { group: deployment, signal });
    } catch (error) {
      throw error instanceof SemaphoreFull ? new Outage('database', error, IMPORT_RETRY_SECONDS) : error;
    }
  }

  async #attempt<Result>(
    options: TransactionOptions,
    work: (tx: Tx) => Promise<Result>,
    attempts: number,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(options, work);
      } catch (error) {
        if (!isWorthRetrying(error) || attempt === attempts) throw failureOf(error);
        await pause(attempt * (5 + Math.random() * 20));
      }
    }
  }

  async #once<Result>(options: TransactionOptions, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const { deployment } = options;
    if (deployment !== undefined && !isInt64(deployment))
      throw new Error('The deployment of a transaction must be an id.');
    const client = await this.#pools[options.role].connect();
    return options.isRead ? read(client, deployment, work) : write(client, options, work);
  }

  /** Runs one statement with the role `auth`, outside of a transaction: it identifies a caller. */
  async queryAsAuth(statement: { name: string; text: string; values: unknown[] }): Promise<Record<string, unknown>[]> {
    try {
      return (await this.#pools.auth.query(statement)).rows;
    } catch (error) {
      throw failureOf(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()));
  }
}

/** Under read committed each statement has its own snapshot anyway, so reads need no transaction around them. */
async function read<Result>(
  client: pg.PoolClient,
  deployment: string | undefined,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(new Tx(client, deployment ?? ''));
    client.release();
    return result;
  } catch (error) {
    // A session that the server is about to close must not be reused.
    client.release(isOutage(error));
    throw error;
  }
}

async function write<Result>(
  client: pg.PoolClient,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { signal } = options;
  const abort = () => disconnect(client);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    // Not awaited: opening the transaction shares the round trip of the first query.
    const opening = client.query(openingOf(options));
    const [result] = await Promise.all([work(new Tx(client)), opening]);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.query('rollback').then(
      () => client.release(),
      (failure) => client.release(failure),
    );
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Closes a connection in the middle of a statement; PostgreSQL notices it and rolls back. `end` would wait for it. */
const disconnect = (client: pg.PoolClient) =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();

const LONG_LIMITS = [
  "set local statement_timeout = '10min'",
  "set local lock_timeout = '60s'",
  "set local idle_in_transaction_session_timeout = '5min'",
];

const openingOf = ({ deployment, isLong = false }: TransactionOptions): string =>
  [
    'begin',
    ...(deployment === undefined ? [] : [`set local parapet.deployment = '${deployment}'`]),
    ...(isLong ? LONG_LIMITS : []),
  ].join('; ');
