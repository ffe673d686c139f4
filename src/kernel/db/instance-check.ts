import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Database } from './database.ts';
import type { Tx } from './tx.ts';

const KEY = 'instance';

const Identity = z.object({ database: z.string(), known: z.string().optional() });

/** What tells this database from a restored one: the cluster, and the database in it. */
const readIdentity = async (tx: Tx) => {
  const row = await tx.one(Identity)`
    select (select system_identifier from pg_control_system())::text || '/' || pg_database.oid as database,
      (select value from server_setting where key = ${KEY}) as known
    from pg_database where datname = current_database()`;
  if (!row) throw new Error('The database has no identity.');
  return row;
};

/**
 * Recognizes a restored copy of a database, which must not send what the original sends: webhooks, messages, mails and
 * tickets wait until somebody releases it.
 */
export class InstanceCheck {
  readonly #db: Database;
  readonly #folder: string | undefined;

  /** `folder` has the data of an embedded PostgreSQL: its files can be copied with the identity of the cluster. */
  constructor({ db, folder }: { db: Database; folder: string | undefined }) {
    this.#db = db;
    this.#folder = folder;
  }

  /** True if the database was in another place when it was used first, or released last. */
  isCopy(): Promise<boolean> {
    return this.#compare(async (tx, { current, known }) => {
      if (known === undefined)
        await tx.run`insert into server_setting (key, value) values (${KEY}, ${current}) on conflict do nothing`;
      return known !== undefined && known !== current;
    });
  }

  /** Makes this the place of the database; false if it was before. */
  release(): Promise<boolean> {
    return this.#compare(async (tx, { current, known }) => {
      await tx.run`
        insert into server_setting (key, value) values (${KEY}, ${current})
        on conflict (key) do update set value = excluded.value, changed_at = now()`;
      return known !== undefined && known !== current;
    });
  }

  async #compare(
    work: (tx: Tx, identity: { current: string; known: string | undefined }) => Promise<boolean>,
  ): Promise<boolean> {
    const folder = this.#folder === undefined ? '' : String((await stat(this.#folder)).ino);
    return this.#db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const { database, known } = await readIdentity(tx);
      return work(tx, { current: `${database}/${folder}`, known });
    });
  }
}
