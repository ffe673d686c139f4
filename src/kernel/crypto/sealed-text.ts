import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { contextOf, decrypt, encrypt, NONCE_LENGTH } from '#kernel/crypto/aead.ts';
import { bytesOf, decodeBase64Url } from '#kernel/crypto/encoding.ts';
import { freshBytes } from '#kernel/crypto/random.ts';

const VERSION = 1;
const SALT_LENGTH = 12;
const HEAD_LENGTH = 1 + SALT_LENGTH + NONCE_LENGTH;

/** The derived key of one purpose, cached because deriving a key costs more than encrypting with it. */
interface CachedKey {
  salt: Buffer;
  context: Buffer;
  derivedKey: KeyObject;
  remainingUses: number;
}

const MAX_PURPOSES = 100;
/** Far below the 2^32 random nonces that one GCM key allows. */
const MAX_USES = 2 ** 20;
const cache = new WeakMap<KeyObject, Map<string, CachedKey>>();

function cachedKeyFor(key: KeyObject, purpose: string): CachedKey {
  let purposes = cache.get(key);
  if (!purposes || purposes.size > MAX_PURPOSES) {
    purposes = new Map();
    cache.set(key, purposes);
  }
  let found = purposes.get(purpose);
  if (!found || found.remainingUses === 0) {
    const [salt, context] = [randomBytes(SALT_LENGTH), contextOf('sealed-text', VERSION, purpose)];
    found = { salt, context, derivedKey: deriveKey(key, salt, context), remainingUses: MAX_USES };
    purposes.set(purpose, found);
  }
  found.remainingUses--;
  return found;
}

/** Encrypts a payload to opaque text, which only `unseal` with the same key and purpose can read. */
export function seal(key: KeyObject, purpose: string, payload: Uint8Array | string): string {
  const { salt, context, derivedKey } = cachedKeyFor(key, purpose);
  const nonce = freshBytes(NONCE_LENGTH);
  const box = encrypt({ key: derivedKey, nonce, context }, bytesOf(payload));
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, box]).toString('base64url');
}

/** Decrypts a sealed text; null for text that was not sealed with this key and purpose. */
export function unseal(key: KeyObject, purpose: string, text: string): Buffer | null {
  const bytes = decodeBase64Url(text);
  if (bytes?.[0] !== VERSION) return null;
  const context = contextOf('sealed-text', VERSION, purpose);
  const derivedKey = deriveKey(key, bytes.subarray(1, 1 + SALT_LENGTH), context);
  const nonce = bytes.subarray(1 + SALT_LENGTH, HEAD_LENGTH);
  return decrypt({ key: derivedKey, nonce, context }, bytes.subarray(HEAD_LENGTH));
}

// A separate key for each salt, because a busy server would exceed the 2^32 random nonces that one GCM key allows.
const deriveKey = (key: KeyObject, salt: Buffer, context: Buffer): KeyObject =>
  createSecretKey(createHmac('sha256', key).update(salt).update(context).digest());
