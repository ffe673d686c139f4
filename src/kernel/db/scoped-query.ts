import pg from 'pg';
import type { Statement } from './sql.ts';

/** Sets what a read may see and do until the end of its statement, and gives no row. */
const SCOPE: Statement = {
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
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (statement: Statement, callback: Callback) => Inside;

/**
 * A read and the deployment it is for, in one message: PostgreSQL runs what comes before a Sync as one transaction,
 * so the scope holds for this statement and for no other, without a begin, a commit or a round trip of their own.
 */
class ScopedQuery extends Query {
  readonly #deployment: string;
  #isScopeSet = false;

  constructor(statement: Statement, deployment: string, callback: Callback) {
    super(statement, callback);
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
  statement: Statement,
  deployment: string,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(new ScopedQuery(statement, deployment, (error, result) => (error ? reject(error) : resolve(result))));
  });
}
