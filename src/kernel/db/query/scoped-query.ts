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
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (text: string, values: unknown[], callback: Callback) => QueryInternals;

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
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isScopeSet) super.handleCommandComplete(message, connection);
    this.#isScopeSet = true;
  }
}

export function queryScoped<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: SqlStatement,
  deployment: string,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, deployment, (error, result) => (error ? reject(error) : resolve(result))));
  });
}
