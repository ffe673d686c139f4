import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlStatement } from './sql.ts';

/** Sets the deployment and read-only mode of the implicit transaction; returns no row. */
const SCOPE: SqlStatement = {
  name: 'scope',
  text: `select where set_config('parapet.deployment', $1, true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
  values: [''],
  queryMode: 'extended',
};

/** Prepares the scope statement on a new session. */
export const prepareScope = (client: pg.ClientBase): Promise<unknown> => client.query(SCOPE);

/** Internals of pg.Query; the pinned version and the tests of this file keep them valid. */
interface QueryInternals extends pg.Query {
  name: string;
  queryMode: 'extended';
  readonly text: string;
  hasBeenParsed(connection: pg.Connection): boolean;
  prepare(connection: pg.Connection): void;
  handleRowDescription(message: { fields: pg.FieldDef[] }): void;
  _result: Columns;
  _accumulateRows: boolean;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

interface Connection extends pg.Connection {
  stream: Socket;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (text: string, values: unknown[], callback: Callback) => QueryInternals;

/** The columns of a result and their parsers. */
interface Columns {
  fields: pg.FieldDef[];
  _parsers: unknown[];
  _prebuiltEmptyResultObject: object;
}

/** The columns of each statement, cached so that reads need no Describe message. */
const columns = new Map<string, Columns>();

const undescribed = new WeakMap<pg.Connection, pg.Connection>();

/** A view of the connection that sends no Describe message. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  let view = undescribed.get(connection);
  if (!view) {
    view = Object.create(connection, { describe: { value: () => undefined } }) as pg.Connection;
    undescribed.set(connection, view);
  }
  return view;
}

/**
 * A read with its deployment in one message: PostgreSQL runs all statements before a Sync as one transaction, so the
 * scope applies to this statement only, without a begin, a commit or another round trip.
 */
class ScopedQuery extends Query {
  readonly #deployment: string;
  #isScopeSet = false;

  constructor({ name, text, values }: SqlStatement, deployment: string, callback: Callback) {
    super(text, values, callback);
    this.name = name;
    // Without a name and values pg would use the simple protocol, and so skip `prepare`.
    this.queryMode = 'extended';
    this.#deployment = deployment;
  }

  override prepare(connection: pg.Connection): void {
    const more = true;
    connection.bind({ statement: SCOPE.name, values: [this.#deployment] }, more);
    connection.execute({}, more);
    const cached = this.hasBeenParsed(connection) ? columns.get(this.text) : undefined;
    if (cached) {
      Object.assign(this._result, cached);
      this._accumulateRows = true;
    }
    super.prepare(cached ? withoutDescribe(connection) : connection);
  }

  override handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (this.name !== '') columns.set(this.text, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isScopeSet) super.handleCommandComplete(message, connection);
    this.#isScopeSet = true;
  }
}

/** Sockets that are corked until the end of the event-loop turn. */
const corked = new WeakSet<Socket>();

/** Sends the reads of one turn together, because each write wakes a PostgreSQL process. */
function corkForThisTurn({ stream }: Connection): void {
  if (corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

export function queryScoped<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: SqlStatement,
  deployment: string,
): Promise<pg.QueryResult<Row>> {
  corkForThisTurn((client as unknown as { connection: Connection }).connection);
  return new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, deployment, (error, result) => (error ? reject(error) : resolve(result))));
  });
}
