import type pg from 'pg';
import type { z } from 'zod';
import { render, Sql } from './sql.ts';

export type Row = Record<string, unknown>;

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** A row without its nulls: absent in the database is absent in the contract. */
function present(row: Row): Row {
  const result: Row = {};
  for (const name in row) if (row[name] !== null) result[name] = row[name];
  return result;
}

/**
 * One open transaction: all that rooms know of the database.
 * Rows come in wire form (int8 and timestamptz as text), so the schema that reads JSON reads them too.
 */
export class Tx {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async #query(strings: TemplateStringsArray, values: unknown[]): Promise<pg.QueryResult<Row>> {
    return this.#client.query<Row>(render(new Sql(strings, values)));
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
  rows: Template<Row[]> = async (strings, ...values) => (await this.#query(strings, values)).rows;

  /** How many rows a statement touched. */
  run: Template<number> = async (strings, ...values) => (await this.#query(strings, values)).rowCount ?? 0;
}
