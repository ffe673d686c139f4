import type pg from 'pg';
import type { z } from 'zod';
import { type CopyRow, copyText } from './query/copy-text.ts';
import { queryScoped } from './query/scoped-query.ts';
import { renderSql, Sql } from './query/sql.ts';
import { createStagingTable, fillStagingTable, type StagingTable } from './query/staging-table.ts';

export type SqlRow = Record<string, unknown>;

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** A row without its nulls: absent in the database is absent in the contract. */
function present(row: SqlRow): SqlRow {
  const result: SqlRow = {};
  for (const name in row) if (row[name] !== null) result[name] = row[name];
  return result;
}

/**
 * One open transaction: all that rooms know of the database.
 * Rows come in wire form (int8 and timestamptz as text), so the schema that reads JSON reads them too.
 */
export class Tx {
  readonly #client: pg.ClientBase;
  readonly #readScope: string | undefined;
  readonly #stages = new Set<string>();
  #isCopying = false;

  /** With a scope every statement is a read of that deployment and brings a transaction of its own along. */
  constructor(client: pg.ClientBase, readScope?: string) {
    this.#client = client;
    this.#readScope = readScope;
  }

  async #query(strings: TemplateStringsArray, values: unknown[]): Promise<pg.QueryResult<SqlRow>> {
    // What is sent meanwhile would arrive in the middle of the rows.
    if (this.#isCopying) throw new Error('The transaction is copying rows, and can do nothing else until that ends.');
    const statement = renderSql(new Sql(strings, values));
    if (this.#readScope === undefined) return this.#client.query<SqlRow>(statement);
    return queryScoped<SqlRow>(this.#client, statement, this.#readScope);
  }

  /** All rows, each checked and decoded by the schema. */
  all<Schema extends z.ZodType>(schema: Schema): Template<z.output<Schema>[]> {
    return async (strings, ...values) => {
      const { rows } = await this.#query(strings, values);
      return rows.map((row) => schema.parse(present(row)));
    };
  }

  /** The first row, or undefined. */
  one<Schema extends z.ZodType>(schema: Schema): Template<z.output<Schema> | undefined> {
    return async (strings, ...values) => {
      const { rows } = await this.#query(strings, values);
      return rows[0] ? schema.parse(present(rows[0])) : undefined;
    };
  }

  /** Rows as they come, for statements whose result no contract names. */
  rows: Template<SqlRow[]> = async (strings, ...values) => (await this.#query(strings, values)).rows;

  /** How many rows a statement touched. */
  run: Template<number> = async (strings, ...values) => (await this.#query(strings, values)).rowCount ?? 0;

  /**
   * Copies rows into a table that ends with the transaction, and says how many. The rows may come as slowly as they
   * like: no more of them is asked for than the server takes. A transaction that copies is one of writes.
   */
  copy(stage: StagingTable, rows: Iterable<CopyRow> | AsyncIterable<CopyRow>): Promise<number> {
    return this.copyLines(stage, copyText(Object.values(stage.columns), rows));
  }

  /** The same for rows that were written as lines of COPY somewhere else; see `lineWriter`. */
  async copyLines(stage: StagingTable, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<number> {
    if (this.#readScope !== undefined) throw new Error('A read has no transaction in which a stage could live.');
    if (this.#isCopying) throw new Error('The transaction is copying rows, and can do nothing else until that ends.');
    this.#isCopying = true;
    try {
      if (!this.#stages.has(stage.table)) await createStagingTable(this.#client, stage);
      this.#stages.add(stage.table);
      return await fillStagingTable(this.#client, stage, chunks);
    } finally {
      this.#isCopying = false;
    }
  }
}
