import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { contextOf, decrypt, encrypt, NONCE_LENGTH } from '#kernel/crypto/aead.ts';
import { bytesOf, decodeBase64Url } from '#kernel/crypto/encoding.ts';
import { freshBytes } from '#kernel/crypto/random.ts';

const VERSION = 1;
const SALT_LENGTH = 12;
const HEAD_LENGTH = 1 + SALT_LENGTH + NONCE_LENGTH;

/** What texts of one purpose are sealed with for a while: making a key costs more than sealing with it. */
interface Kept {
  salt: Buffer;
  context: Buffer;
  ownKey: KeyObject;
  left: number;
}

const MOST_PURPOSES = 100;
/** A key bears 2^32 random nonces; no kept one comes near. */
const MOST_TEXTS = 2 ** 20;
const kept = new WeakMap<KeyObject, Map<string, Kept>>();

function keptFor(key: KeyObject, purpose: string): Kept {
  let purposes = kept.get(key);
  if (!purposes || purposes.size > MOST_PURPOSES) {
    purposes = new Map();
    kept.set(key, purposes);
  }
  let found = purposes.get(purpose);
  if (!found || found.left === 0) {
    const [salt, context] = [randomBytes(SALT_LENGTH), contextOf('sealed-text', VERSION, purpose)];
    found = { salt, context, ownKey: ownKeyOf(key, salt, context), left: MOST_TEXTS };
    purposes.set(purpose, found);
  }
  found.left--;
  return found;
}

/** Turns a payload into opaque text that only `unseal` with the same key and purpose can read. */
export function seal(key: KeyObject, purpose: string, payload: Uint8Array | string): string {
  const { salt, context, ownKey } = keptFor(key, purpose);
  const nonce = freshBytes(NONCE_LENGTH);
  const box = encrypt({ key: ownKey, nonce, context }, bytesOf(payload));
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, box]).toString('base64url');
}

/** The payload of a sealed text, or null for anything that `seal` did not make with this key and purpose. */
export function unseal(key: KeyObject, purpose: string, text: string): Buffer | null {
  const bytes = decodeBase64Url(text);
  if (bytes?.[0] !== VERSION) return null;
  const context = contextOf('sealed-text', VERSION, purpose);
  const ownKey = ownKeyOf(key, bytes.subarray(1, 1 + SALT_LENGTH), context);
  const nonce = bytes.subarray(1 + SALT_LENGTH, HEAD_LENGTH);
  return decrypt({ key: ownKey, nonce, context }, bytes.subarray(HEAD_LENGTH));
}

// A key of its own for each salt, because a busy server would outlive the 2^32 random nonces one GCM key bears.
const ownKeyOf = (key: KeyObject, salt: Buffer, context: Buffer): KeyObject =>
  createSecretKey(createHmac('sha256', key).update(salt).update(context).digest());
