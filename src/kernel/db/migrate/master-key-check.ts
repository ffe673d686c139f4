import pg from 'pg';
import { UnusableKey } from '#kernel/crypto/keys/key-ring.ts';

/**
 * Checks that the master key is the one that this database was created with.
 * With another key nothing encrypted could be read, and new data could not be read with the right key.
 */
export async function requireSameMasterKey(connection: pg.ClientConfig, fingerprint: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ value: string }>(
      `insert into server_setting (key, value) values ('master_key', $1)
       on conflict (key) do update set key = excluded.key
       returning value`,
      [fingerprint],
    );
    const stored = rows[0]?.value;
    if (stored !== fingerprint)
      throw new UnusableKey(
        `The encryption key (${fingerprint}) is not the one that this database was made with (${stored}). ` +
          'Put the right key back: PARAPET_MASTER_KEY, or keys/master.key in the data folder. Nothing was changed.',
      );
  } finally {
    await client.end();
  }
}
