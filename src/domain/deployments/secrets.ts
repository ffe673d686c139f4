import { z } from 'zod';
import {
  type DataKey,
  EnvelopeFailure,
  keyVersionOf,
  openField,
  sealField,
  unwrapDataKey,
} from '#kernel/crypto/keys/envelope.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** The field that holds a secret. A secret that is sealed for one field cannot be opened from another. */
export interface SecretLocation {
  deployment: string;
  table: string;
  column: string;
  row: string;
}

/** Unwrapped keys are kept as long as the transaction that uses them. */
const unwrapped = new WeakMap<Tx, Map<string, Promise<DataKey>>>();

const WrappedKey = z.object({ key_version: z.int(), wrapped: z.string() });

async function readDataKey(tx: Tx, keys: KeyRing, owner: { deployment: string; version: number | undefined }) {
  const { deployment, version } = owner;
  const row = await tx.one(WrappedKey)`
    select key_version, wrapped from data_key
    where deployment_id = ${deployment} ${version === undefined ? emptySql : sql`and key_version = ${version}`}
    order by key_version desc limit 1`;
  if (!row) throw new EnvelopeFailure('wrong_key', 'The deployment has no such data key.');
  const wrapped = { deployment, keyVersion: row.key_version, text: row.wrapped };
  return unwrapDataKey(keys.derive('data-keys'), wrapped);
}

/** The data key of this version, or the newest one. */
function dataKeyOf(
  tx: Tx,
  keys: KeyRing,
  owner: { deployment: string; version: number | undefined },
): Promise<DataKey> {
  const cached = unwrapped.get(tx) ?? new Map<string, Promise<DataKey>>();
  unwrapped.set(tx, cached);
  const name = `${owner.deployment} ${owner.version ?? 'newest'}`;
  const key = cached.get(name) ?? readDataKey(tx, keys, owner);
  cached.set(name, key);
  return key;
}

/** Encrypts a secret for its field with the newest data key of the deployment. */
export async function sealSecret(tx: Tx, keys: KeyRing, location: SecretLocation, secret: Secret): Promise<string> {
  const key = await dataKeyOf(tx, keys, { deployment: location.deployment, version: undefined });
  return sealField(key, { ...location, keyVersion: key.keyVersion }, secret);
}

/** Decrypts a secret that was sealed for this field, with the key version that sealed it. */
export async function openSecret(tx: Tx, keys: KeyRing, location: SecretLocation, sealed: string): Promise<Secret> {
  const key = await dataKeyOf(tx, keys, {
    deployment: location.deployment,
    version: keyVersionOf(sealed) ?? undefined,
  });
  return openField(key, { ...location, keyVersion: key.keyVersion }, sealed);
}
