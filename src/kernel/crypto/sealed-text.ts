import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { contextOf, decrypt, encrypt, NONCE_LENGTH } from '#kernel/crypto/aead.ts';
import { bytesOf, decodeBase64Url } from '#kernel/crypto/encoding.ts';
import { freshBytes } from '#kernel/crypto/random.ts';

const VERSION = 1;
const SALT_LENGTH = 12;
const HEAD_LENGTH = 1 + SALT_LENGTH + NONCE_LENGTH;

/** Turns a payload into opaque text that only `unseal` with the same key and purpose can read. */
export function seal(key: KeyObject, purpose: string, payload: Uint8Array | string): string {
  const head = Buffer.concat([Buffer.of(VERSION), freshBytes(SALT_LENGTH + NONCE_LENGTH)]);
  const box = encrypt(boundOf(key, purpose, head), bytesOf(payload));
  return Buffer.concat([head, box]).toString('base64url');
}

/** The payload of a sealed text, or null for anything that `seal` did not make with this key and purpose. */
export function unseal(key: KeyObject, purpose: string, text: string): Buffer | null {
  const bytes = decodeBase64Url(text);
  if (bytes?.[0] !== VERSION) return null;
  return decrypt(boundOf(key, purpose, bytes.subarray(0, HEAD_LENGTH)), bytes.subarray(HEAD_LENGTH));
}

// A key of its own for each salt, because a busy server would outlive the 2^32 random nonces one GCM key bears.
function boundOf(key: KeyObject, purpose: string, head: Buffer) {
  const context = contextOf('sealed-text', VERSION, purpose);
  const salt = head.subarray(1, 1 + SALT_LENGTH);
  const ownKey = createSecretKey(createHmac('sha256', key).update(salt).update(context).digest());
  return { key: ownKey, nonce: head.subarray(1 + SALT_LENGTH), context };
}
