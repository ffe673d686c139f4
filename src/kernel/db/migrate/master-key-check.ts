import type pg from 'pg';
import { type LoadedMasterKey, loadMasterKey, type MasterKeyOptions } from '#kernel/crypto/keys/key-ring.ts';
import { connect } from './migrate.ts';

const LOCK = 7_236_411_906;

/**
 * Checks, before the schema is migrated, that the key of this database is there; a new database has none yet.
 * With another key nothing encrypted could be read, and new data could not be read with the right key.
 */
export async function requireMasterKey(connection: pg.ClientConfig, options: MasterKeyOptions): Promise<void> {
  const client = await connect(connection);
  try {
    const { rows } = await client.query("select where to_regclass('server_setting') is not null");
    const fingerprint = rows.length > 0 ? await storedFingerprint(client) : undefined;
    if (fingerprint !== undefined) await loadMasterKey({ ...options, fingerprint });
  } finally {
    await client.end();
  }
}

/**
 * Loads the master key of this database. The first server creates it; the lock makes the others wait for its file.
 * The file is written before the commit: after a crash in between, the next start uses the file.
 */
export async function openMasterKey(connection: pg.ClientConfig, options: MasterKeyOptions): Promise<LoadedMasterKey> {
  const client = await connect(connection);
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const fingerprint = await storedFingerprint(client);
    const loaded = await loadMasterKey({ ...options, fingerprint });
    if (fingerprint === undefined)
      await client.query("insert into server_setting (key, value) values ('master_key', $1)", [
        loaded.ring.fingerprint,
      ]);
    await client.query('commit');
    return loaded;
  } finally {
    // The end of the session rolls back what was not committed.
    await client.end();
  }
}

async function storedFingerprint(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>("select value from server_setting where key = 'master_key'");
  return rows[0]?.value;
}
