import pg from 'pg';

/**
 * Updates the planner's statistics of these columns of tables; statements that were prepared before are planned again.
 * Tables that autovacuum works on are left to it.
 */
export async function analyzeTables(owner: pg.ClientConfig, tables: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client(owner);
  // A lost session rejects the query, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const targets = Object.entries(tables).map(([table, columns]) => `${table} (${columns})`);
    await client.query(`analyze (skip_locked) ${targets.join(', ')}`);
  } finally {
    await client.end();
  }
}
