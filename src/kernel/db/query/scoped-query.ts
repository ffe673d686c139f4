import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlStatement } from './sql.ts';

/** Sets what a read may see and do until the end of its statement, and gives no row. */
const SCOPE: SqlStatement = {
  name: 'scope',
  text: `select where set_config('parapet.deployment', $1, true) is null
    or set_config('transaction_read_only', 'on', true) is null`,
  values: [''],
  queryMode: 'extended',
};

/** Lets a new session know the statement that every read is sent with. */
export const prepareScope = (client: pg.ClientBase): Promise<unknown> => client.query(SCOPE);

/** What pg's own query does inside; a pinned version and the tests of this file keep it true. */
interface Inside extends pg.Query {
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

const Query = pg.Query as unknown as new (text: string, values: unknown[], callback: Callback) => Inside;

/** What a result knows of its columns and of how each is read. */
interface Columns {
  fields: pg.FieldDef[];
  _parsers: unknown[];
  _prebuiltEmptyResultObject: object;
}

/** The columns of each statement, so that the server is not asked for them with every read. */
const columns = new Map<string, Columns>();

const incurious = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, but for the question what columns a statement has. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  let same = incurious.get(connection);
  if (!same) {
    same = Object.create(connection, { describe: { value: () => undefined } }) as pg.Connection;
    incurious.set(connection, same);
  }
  return same;
}

/**
 * A read and the deployment it is for, in one message: PostgreSQL runs what comes before a Sync as one transaction,
 * so the scope holds for this statement and for no other, without a begin, a commit or a round trip of their own.
 */
class ScopedQuery extends Query {
  readonly #deployment: string;
  #isScopeSet = false;

  constructor({ name, text, values }: SqlStatement, deployment: string, callback: Callback) {
    super(text, values, callback);
    this.name = name;
    // Without a name and values pg would send it alone, and so without its scope.
    this.queryMode = 'extended';
    this.#deployment = deployment;
  }

  override prepare(connection: pg.Connection): void {
    const more = true;
    connection.bind({ statement: SCOPE.name, values: [this.#deployment] }, more);
    connection.execute({}, more);
    const known = this.hasBeenParsed(connection) ? columns.get(this.text) : undefined;
    if (known) {
      Object.assign(this._result, known);
      this._accumulateRows = true;
    }
    super.prepare(known ? withoutDescribe(connection) : connection);
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

/** Sessions that hold back what they are given until the end of the turn. */
const holding = new WeakSet<Socket>();

/** Reads that are asked for together are sent together: each write wakes a process of PostgreSQL. */
function holdForTheTurn({ stream }: Connection): void {
  if (holding.has(stream)) return;
  holding.add(stream);
  stream.cork();
  process.nextTick(() => {
    holding.delete(stream);
    stream.uncork();
  });
}

export function queryScoped<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: SqlStatement,
  deployment: string,
): Promise<pg.QueryResult<Row>> {
  holdForTheTurn((client as unknown as { connection: Connection }).connection);
  return new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, deployment, (error, result) => (error ? reject(error) : resolve(result))));
  });
}
