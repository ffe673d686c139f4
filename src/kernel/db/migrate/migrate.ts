import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { OperatorError } from '#kernel/errors/operator-error.ts';

/** `expand` only adds, so the previous release still works; `contract` removes what that release no longer uses. */
export type MigrationKind = 'expand' | 'contract';

export interface Migration {
  name: string;
  kind: MigrationKind;
  text: string;
  digest: string;
}

/** Thrown when the schema of the database does not fit this program. */
export class SchemaMismatch extends OperatorError {
  override readonly exitCode = 6;
}

/** Thrown when no session with the database server can be opened. */
export class DatabaseUnreachable extends OperatorError {
  override readonly exitCode = 5;
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, kind: kindOf(name, text), text, digest: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** The first line of every migration says its kind and what it changes, such as `-- expand: add team.color`. */
function kindOf(name: string, text: string): MigrationKind {
  const kind = /^-- (expand|contract): \S/.exec(text)?.[1];
  if (kind === undefined) throw new Error(`Migration ${name} must begin with "-- expand: …" or "-- contract: …".`);
  return kind as MigrationKind;
}

const LOCK = 7_236_411_905;
/** Lets the server status count migrations; the first migration creates the role. */
const GRANT_MIGRATIONS = `do $$ begin
  if exists (select from pg_roles where rolname = 'parapet_background') then
    grant select on migration to parapet_background;
  end if;
end $$`;
const MIN_SERVER_MAJOR = 15;

/**
 * Applies the pending migrations: each in its own transaction, by one process at a time.
 * A process that is killed leaves only complete migrations, and its lock is released with its connection.
 */
export async function migrate(connection: pg.ClientConfig, migrations: readonly Migration[]): Promise<number> {
  const client = await connect(connection);
  try {
    await requireServer(client);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(`create table if not exists migration (
      name text primary key, kind text not null, digest text not null,
      applied_at timestamptz(3) not null default now())`);
    const pending = await pendingOf(client, migrations);
    for (const migration of pending) await apply(client, migration);
    await client.query(GRANT_MIGRATIONS);
    return pending.length;
  } finally {
    await client.end();
  }
}

/** Opens a session of the owner of the schema. */
export async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    return client;
  } catch (error) {
    // The message of the driver can name the user and the host, but never the password.
    const { code, message } = error as { code?: string; message: string };
    throw new DatabaseUnreachable(`The database cannot be reached: ${message || code}. Check PARAPET_DATABASE_URL.`, {
      cause: error,
    });
  }
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  requireServerVersion(Number(rows[0]?.version));
}

/** Refuses a PostgreSQL that lacks what the schema uses; the version is `server_version_num`, such as 150018. */
export function requireServerVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= MIN_SERVER_MAJOR) return;
  throw new SchemaMismatch(
    `Parapet needs PostgreSQL ${MIN_SERVER_MAJOR} or later, and this server is PostgreSQL ${major}. ` +
      'Upgrade it, let PARAPET_DATABASE_URL name another one, or unset it to use the embedded PostgreSQL.',
  );
}

async function pendingOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<Omit<Migration, 'text'>>(
    'select name, kind, digest from migration order by name',
  );
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, kind, digest } of rows) {
    const migration = known.get(name);
    // The next release may already have run its additions; this server keeps working beside it until it is replaced.
    if (!migration && kind === 'expand') continue;
    if (!migration)
      throw new SchemaMismatch(
        `The database has migration ${name}, which this version of Parapet does not know and which removes what it ` +
          'needs. Start the newer version, or restore a backup made before the upgrade.',
      );
    if (migration.digest !== digest)
      throw new SchemaMismatch(
        `Migration ${name} differs from the one that was applied to this database; its file was edited.`,
      );
  }
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: pg.Client, { name, kind, text, digest }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into migration (name, kind, digest) values ($1, $2, $3)', [name, kind, digest]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
