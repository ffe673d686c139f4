import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
export const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

type CipherInput = { readonly key: KeyObject; readonly nonce: Uint8Array; readonly context: Uint8Array };

/** A fresh random nonce for one encryption. */
export function makeNonce(): Buffer {
  return randomBytes(NONCE_LENGTH);
}

/** Encrypts with AES-256-GCM and appends the tag to the ciphertext. */
export function encrypt({ key, nonce, context }: CipherInput, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(context);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** The plaintext, or null when the key, nonce, context, ciphertext or tag is wrong. */
export function decrypt({ key, nonce, context }: CipherInput, box: Uint8Array): Buffer | null {
  if (nonce.length !== NONCE_LENGTH || box.length < TAG_LENGTH) return null;
  const tagStart = box.length - TAG_LENGTH;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_LENGTH }).setAAD(context);
  decipher.setAuthTag(box.subarray(tagStart));
  const plaintext = decipher.update(box.subarray(0, tagStart));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    return null;
  }
}

/** Encodes the parts of a context so that different lists never have the same bytes. */
export function contextOf(...parts: readonly (string | number)[]): Buffer {
  return Buffer.from(JSON.stringify(parts), 'utf8');
}
