import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;

let pool = Buffer.alloc(0);

/** Random bytes from a pool: filling it with one system call makes small requests cheap. */
export function freshBytes(length: number): Buffer {
  if (pool.length < length) pool = randomBytes(Math.max(POOL_BYTES, length));
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return bytes;
}
