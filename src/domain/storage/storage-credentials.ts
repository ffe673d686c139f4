import { z } from 'zod';
import { numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { StorageCredential } from './storage-shape.ts';

export interface StorageRef {
  deployment: string;
  id: string;
}

const columns = sql`id, name, slug, endpoint, region, access_key_id as "accessKeyId"`;

export const listCredentials = (tx: Tx, deployment: string): Promise<StorageCredential[]> =>
  tx.all(StorageCredential)`
    select ${columns} from storage_credential where deployment_id = ${deployment} order by id`;

export const findCredential = (tx: Tx, { deployment, id }: StorageRef): Promise<StorageCredential | undefined> =>
  tx.one(StorageCredential)`
    select ${columns} from storage_credential where deployment_id = ${deployment} and id = ${id}`;

const locationOf = ({ deployment, id }: StorageRef) => ({
  ...{ deployment, table: 'storage_credential', column: 'sealed_secret', row: id },
});

export interface NewStorageCredential extends Pick<StorageCredential, 'name' | 'endpoint' | 'region' | 'accessKeyId'> {
  secret: Secret;
}

/** Inserts a credential. The caller has locked the number of credentials. */
export async function insertCredential(
  tx: Tx,
  keys: KeyRing,
  deployment: string,
  { name, endpoint, region, accessKeyId, secret }: NewStorageCredential,
): Promise<StorageCredential> {
  const taken = new Set((await listCredentials(tx, deployment)).map(({ slug }) => slug));
  let number = 1;
  while (taken.has(numberedSlug(slugOf(name), number))) number += 1;
  const row = await tx.one(StorageCredential)`
    insert into storage_credential (deployment_id, name, slug, endpoint, region, access_key_id, sealed_secret)
    values (${deployment}, ${name}, ${numberedSlug(slugOf(name), number)}, ${endpoint}, ${region}, ${accessKeyId}, '')
    returning ${columns}`;
  if (!row) throw new Error('An inserted credential was not returned.');
  const sealed = await sealSecret(tx, keys, locationOf({ deployment, id: row.id }), secret);
  await tx.run`
    update storage_credential set sealed_secret = ${sealed} where deployment_id = ${deployment} and id = ${row.id}`;
  return row;
}

export const removeCredential = (tx: Tx, { deployment, id }: StorageRef): Promise<number> =>
  tx.run`delete from storage_credential where deployment_id = ${deployment} and id = ${id}`;

const Sealed = z.object({ sealed: z.string() });

export async function findStorageSecret(tx: Tx, keys: KeyRing, ref: StorageRef): Promise<Secret | undefined> {
  const row = await tx.one(Sealed)`
    select sealed_secret as sealed from storage_credential
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
  return row && openSecret(tx, keys, locationOf(ref), row.sealed);
}
