import type pg from 'pg';

export interface Column {
  name: string;
  type: string;
  /** An insert without a value for it fails. */
  isNeeded: boolean;
  /** The first text that a check of the column allows. */
  allowed: string | null;
}

const COLUMNS = `
  select attname as name, format_type(atttypid, -1) as type,
         attnotnull and not atthasdef and attidentity = '' as "isNeeded",
         (select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)''::text'))[1] from pg_constraint
          where conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1) as allowed
  from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
  order by attnum`;

export const columnsOf = async (client: pg.Client, table: string): Promise<Column[]> =>
  (await client.query<Column>(COLUMNS, [table])).rows;

/** SQL of a value of each type. */
const VALUES: Record<string, string> = {
  bigint: '1',
  integer: '1',
  smallint: '1',
  'double precision': '1',
  uuid: "'00000000-0000-0000-0000-000000000000'",
  boolean: 'false',
  bytea: "'\\x00'",
  jsonb: "'{}'",
  text: "'made up'",
  'text[]': "'{}'",
  'bigint[]': "'{}'",
  'timestamp with time zone': 'now()',
};

/** A statement that inserts a row of this deployment with generated values for all required columns. */
export function insertStatement(table: string, columns: readonly Column[], deployment: string): string {
  const needed = columns.filter(({ name, isNeeded }) => isNeeded || name === 'deployment_id');
  const values = needed.map(({ name, type, allowed }) => {
    const made = allowed === null ? VALUES[type] : `'${allowed}'`;
    const value = name === 'deployment_id' ? deployment : made;
    if (value === undefined)
      throw new Error(`There is no value for ${type}: add it to test/support/schema/generated-rows.ts.`);
    return value;
  });
  return `insert into ${table} (${needed.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`;
}

/** The outcome of a statement: the number of rows, or the code and message of its error. */
export async function statementOutcome(
  client: pg.Client,
  statement: string,
  values: unknown[] = [],
): Promise<number | string> {
  await client.query('savepoint before');
  try {
    const { rowCount } = await client.query(statement, values);
    return rowCount ?? 0;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    return `${code} ${message}`;
  } finally {
    await client.query('rollback to savepoint before');
  }
}
