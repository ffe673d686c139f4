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

/** Where a secret is kept; what was sealed for one place opens in no other. */
export interface SecretLocation {
  deployment: string;
  table: string;
  column: string;
  row: string;
}

/** Unwrapped keys live as long as the transaction that asked for them. */
const unwrapped = new WeakMap<Tx, Map<string, Promise<DataKey>>>();

async function read(tx: Tx, keys: KeyRing, owner: { deployment: string; version: number | undefined }) {
  const { deployment, version } = owner;
  const [row] = await tx.rows`
    select key_version, wrapped from data_key
    where deployment_id = ${deployment} ${version === undefined ? emptySql : sql`and key_version = ${version}`}
    order by key_version desc limit 1`;
  if (!row) throw new EnvelopeFailure('wrong_key', 'The deployment has no such data key.');
  const wrapped = { deployment, keyVersion: Number(row['key_version']), text: String(row['wrapped']) };
  return unwrapDataKey(keys.derive('data-keys'), wrapped);
}

/** The key of this version, or the newest one. */
function keyOf(tx: Tx, keys: KeyRing, owner: { deployment: string; version: number | undefined }): Promise<DataKey> {
  const known = unwrapped.get(tx) ?? new Map<string, Promise<DataKey>>();
  unwrapped.set(tx, known);
  const name = `${owner.deployment} ${owner.version ?? 'newest'}`;
  const key = known.get(name) ?? read(tx, keys, owner);
  known.set(name, key);
  return key;
}

/** Encrypts a secret for its place with the newest data key of the deployment. */
export async function sealSecret(tx: Tx, keys: KeyRing, place: SecretLocation, secret: Secret): Promise<string> {
  const key = await keyOf(tx, keys, { deployment: place.deployment, version: undefined });
  return sealField(key, { ...place, keyVersion: key.keyVersion }, secret);
}

/** Opens what was sealed for this very place, with whichever version of the key it was sealed. */
export async function openSecret(tx: Tx, keys: KeyRing, place: SecretLocation, sealed: string): Promise<Secret> {
  const key = await keyOf(tx, keys, { deployment: place.deployment, version: keyVersionOf(sealed) ?? undefined });
  return openField(key, { ...place, keyVersion: key.keyVersion }, sealed);
}
