import type pg from 'pg';
import type { z } from 'zod';
import { type CopyRow, copyText } from './query/copy-text.ts';
import { queryScoped } from './query/scoped-query.ts';
import { renderSql, Sql } from './query/sql.ts';
import { createStagingTable, fillStagingTable, type StagingTable } from './query/staging-table.ts';

export type SqlRow = Record<string, unknown>;

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** A row without its nulls, because the schemas of contracts treat absent values as undefined. */
function withoutNulls(row: SqlRow): SqlRow {
  const result: SqlRow = {};
  for (const name in row) if (row[name] !== null) result[name] = row[name];
  return result;
}

/**
 * An open transaction: the only access to the database.
 * Rows are in wire form (int8 and timestamptz as text), so that the schemas of contracts can parse them.
 */
export class Tx {
  readonly #client: pg.ClientBase;
  readonly #readScope: string | undefined;
  readonly #stagingTables = new Set<string>();
  #isCopying = false;

  /** With a read scope every statement is a read of that deployment in a transaction of its own. */
  constructor(client: pg.ClientBase, readScope?: string) {
    this.#client = client;
    this.#readScope = readScope;
  }

  async #query(strings: TemplateStringsArray, values: unknown[]): Promise<pg.QueryResult<SqlRow>> {
    // A statement would be sent in the middle of the COPY data.
    if (this.#isCopying) throw new Error('No statement can run while the transaction copies rows.');
    const statement = renderSql(new Sql(strings, values));
    if (this.#readScope === undefined) return this.#client.query<SqlRow>(statement);
    return queryScoped<SqlRow>(this.#client, statement, this.#readScope);
  }

  /** All rows, parsed by the schema. */
  all<Schema extends z.ZodType>(schema: Schema): Template<z.output<Schema>[]> {
    return async (strings, ...values) => {
      const { rows } = await this.#query(strings, values);
      return rows.map((row) => schema.parse(withoutNulls(row)));
    };
  }

  /** The first row, parsed by the schema; undefined when there is none. */
  one<Schema extends z.ZodType>(schema: Schema): Template<z.output<Schema> | undefined> {
    return async (strings, ...values) => {
      const { rows } = await this.#query(strings, values);
      return rows[0] ? schema.parse(withoutNulls(rows[0])) : undefined;
    };
  }

  /** Unparsed rows. */
  rows: Template<SqlRow[]> = async (strings, ...values) => (await this.#query(strings, values)).rows;

  /** The number of rows that a statement affected. */
  run: Template<number> = async (strings, ...values) => (await this.#query(strings, values)).rowCount ?? 0;

  /**
   * Copies rows into a staging table, which is dropped at the end of the transaction; returns their number. Rows are
   * read only as fast as the server accepts them. Needs a write transaction.
   */
  copy(table: StagingTable, rows: Iterable<CopyRow> | AsyncIterable<CopyRow>): Promise<number> {
    return this.copyLines(table, copyText(Object.values(table.columns), rows));
  }

  /** The same for rows that are already in COPY format; see `lineWriter`. */
  async copyLines(table: StagingTable, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<number> {
    if (this.#readScope !== undefined) throw new Error('A staging table needs a write transaction.');
    if (this.#isCopying) throw new Error('No statement can run while the transaction copies rows.');
    this.#isCopying = true;
    try {
      if (!this.#stagingTables.has(table.table)) await createStagingTable(this.#client, table);
      this.#stagingTables.add(table.table);
      return await fillStagingTable(this.#client, table, chunks);
    } finally {
      this.#isCopying = false;
    }
  }
}
