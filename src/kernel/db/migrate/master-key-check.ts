import pg from 'pg';
import { UnusableKey } from '#kernel/crypto/keys/key-ring.ts';

/**
 * Holds the master key against the one that this database was made with.
 * With another key nothing sealed could be read, and what is written then would be lost to the right one.
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
    const known = rows[0]?.value;
    if (known !== fingerprint)
      throw new UnusableKey(
        `The encryption key (${fingerprint}) is not the one that this database was made with (${known}). ` +
          'Put the right key back: PARAPET_MASTER_KEY, or keys/master.key in the data folder. Nothing was changed.',
      );
  } finally {
    await client.end();
  }
}
