import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { contextOf, decrypt, encrypt, makeNonce } from '#kernel/crypto/aead.ts';
import { bytesOf, decodeBase64Url } from '#kernel/crypto/encoding.ts';
import { fingerprintOf, KEY_LENGTH } from '#kernel/crypto/keys/key-ring.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';

const FIELD_PATTERN = /^v1\.([1-9]\d{0,8})\.([\w-]{16})\.([\w-]{22,})$/;
const WRAPPED_PATTERN = /^w1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{64})$/;
const MAX_KEY_VERSION = 999_999_999;

/** Far below the 2^32 random nonces that one GCM key allows. */
export const MAX_SEALS_PER_KEY = 2 ** 28;

export type KeyOwner = { readonly deployment: string; readonly keyVersion: number };

/** The data key of a deployment, encrypted with the key-encryption key; safe to store. */
export type WrappedKey = KeyOwner & { readonly text: string };

/** A decrypted data key; `sealCount` starts at the stored value and grows with each seal. */
export type DataKey = KeyOwner & { readonly key: KeyObject; sealCount: number };

/** The location of a field; its ciphertext can be decrypted only there. */
export type FieldLocation = KeyOwner & { readonly table: string; readonly column: string; readonly row: string };

/** Says why a key or field is refused: wrong key, invalid format, altered or moved, or a key due for renewal. */
export class EnvelopeFailure extends Error {
  override readonly name = 'EnvelopeFailure';
  readonly reason: 'wrong_key' | 'malformed' | 'tampered' | 'exhausted';

  constructor(reason: EnvelopeFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Generates the data key of a deployment, in wrapped form. */
export function createDataKey(kek: KeyObject, owner: KeyOwner): WrappedKey {
  const { deployment, keyVersion } = owner;
  if (!Number.isInteger(keyVersion) || keyVersion < 1 || keyVersion > MAX_KEY_VERSION) {
    throw new RangeError(`A key version is an integer from 1 to ${MAX_KEY_VERSION}.`);
  }
  return wrap(kek, { deployment, keyVersion, key: createSecretKey(randomBytes(KEY_LENGTH)) });
}

/** Unwraps a data key, refusing one that was wrapped by another key or for another deployment or version. */
export function unwrapDataKey(kek: KeyObject, wrapped: WrappedKey, sealCount = 0): DataKey {
  const [, wrappedBy, nonce = '', box = ''] = WRAPPED_PATTERN.exec(wrapped.text) ?? [];
  if (wrappedBy === undefined) throw new EnvelopeFailure('malformed', 'The wrapped key has an invalid format.');
  const { deployment, keyVersion } = wrapped;
  if (wrappedBy !== fingerprintOf(kek)) {
    throw new EnvelopeFailure('wrong_key', `The data key was wrapped by the key ${wrappedBy}, which is not this one.`);
  }
  const context = wrapContextOf(wrapped, wrappedBy);
  const bytes = decrypt({ key: kek, nonce: Buffer.from(nonce, 'base64url'), context }, Buffer.from(box, 'base64url'));
  if (!bytes) throw new EnvelopeFailure('tampered', 'The wrapped key was altered or belongs to another deployment.');
  return { deployment, keyVersion, key: createSecretKey(bytes), sealCount };
}

/**
 * Re-encrypts a data key with a new key-encryption key; one that has it already is returned, so a rotation can resume.
 */
export function rewrap(oldKek: KeyObject, newKek: KeyObject, wrapped: WrappedKey): WrappedKey {
  if (wrapped.text.startsWith(`w1.${fingerprintOf(newKek)}.`)) {
    unwrapDataKey(newKek, wrapped);
    return wrapped;
  }
  return wrap(newKek, unwrapDataKey(oldKek, wrapped));
}

/** Encrypts one field for one location. */
export function sealField(dataKey: DataKey, location: FieldLocation, plaintext: Secret | string): string {
  requireOwner(dataKey, location);
  if (dataKey.sealCount >= MAX_SEALS_PER_KEY) {
    throw new EnvelopeFailure('exhausted', 'The data key has reached its number of seals; create the next version.');
  }
  dataKey.sealCount += 1;
  const nonce = makeNonce();
  const bytes = bytesOf(typeof plaintext === 'string' ? plaintext : reveal(plaintext));
  const box = encrypt({ key: dataKey.key, nonce, context: fieldContextOf(location) }, bytes);
  return ['v1', location.keyVersion, nonce.toString('base64url'), box.toString('base64url')].join('.');
}

/** Decrypts a field that was sealed for this location; anything else throws. */
export function openField(dataKey: DataKey, location: FieldLocation, text: string): Secret {
  requireOwner(dataKey, location);
  const [, , nonce = '', box = ''] = FIELD_PATTERN.exec(text) ?? [];
  const bytes = decodeBase64Url(box);
  if (!bytes?.length) throw new EnvelopeFailure('malformed', 'The sealed field has an invalid format.');
  if (keyVersionOf(text) !== location.keyVersion) {
    throw new EnvelopeFailure('wrong_key', 'The field was sealed with another version of the data key.');
  }
  const bound = { key: dataKey.key, nonce: Buffer.from(nonce, 'base64url'), context: fieldContextOf(location) };
  const plaintext = decrypt(bound, bytes);
  if (!plaintext) throw new EnvelopeFailure('tampered', 'The sealed field was altered or moved.');
  return new Secret(plaintext.toString('utf8'));
}

/** The version of the data key that a sealed field needs, so that old and new keys can be used side by side. */
export function keyVersionOf(text: string): number | null {
  const version = FIELD_PATTERN.exec(text)?.[1];
  return version === undefined ? null : Number(version);
}

function wrap(kek: KeyObject, dataKey: KeyOwner & { key: KeyObject }): WrappedKey {
  const { deployment, keyVersion } = dataKey;
  const wrappedBy = fingerprintOf(kek);
  const nonce = makeNonce();
  const box = encrypt({ key: kek, nonce, context: wrapContextOf(dataKey, wrappedBy) }, dataKey.key.export());
  const text = ['w1', wrappedBy, nonce.toString('base64url'), box.toString('base64url')].join('.');
  return { deployment, keyVersion, text };
}

function requireOwner(dataKey: DataKey, location: FieldLocation): void {
  if (dataKey.deployment !== location.deployment || dataKey.keyVersion !== location.keyVersion) {
    throw new EnvelopeFailure('wrong_key', 'The data key belongs to another deployment or version.');
  }
}

function wrapContextOf(owner: KeyOwner, wrappedBy: string): Buffer {
  return contextOf('wrapped-key', 1, owner.deployment, owner.keyVersion, wrappedBy);
}

function fieldContextOf({ table, column, row, deployment, keyVersion }: FieldLocation): Buffer {
  return contextOf('field', 1, table, column, row, deployment, keyVersion);
}
