import { hash, timingSafeEqual } from 'node:crypto';
import { bytesOf } from '#kernel/crypto/encoding.ts';

/**
 * Compares secrets, hashes and signatures in constant time.
 * Both sides are hashed first because timingSafeEqual throws on unequal lengths.
 * A text with a lone surrogate equals nothing, because other texts have the same UTF-8 bytes.
 */
export function isEqualSecret(a: Uint8Array | string, b: Uint8Array | string): boolean {
  if (!hasExactBytes(a) || !hasExactBytes(b)) return false;
  return timingSafeEqual(digest(a), digest(b));
}

function hasExactBytes(value: Uint8Array | string): boolean {
  return typeof value !== 'string' || value.isWellFormed();
}

function digest(value: Uint8Array | string): Buffer {
  return hash('sha256', bytesOf(value), 'buffer');
}
