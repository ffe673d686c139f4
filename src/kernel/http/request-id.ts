import { randomBytes } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** The id under which a request is logged: the caller's when it is well formed, else a new ULID. */
export function requestIdOf(header: string | undefined, clock: () => number = Date.now): string {
  return header !== undefined && WELL_FORMED.test(header) ? header : ulid(clock());
}

function ulid(nowMs: number): string {
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`);
  return base32(BigInt(nowMs), TIME_CHARACTERS) + base32(random, RANDOM_CHARACTERS);
}

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = CROCKFORD.charAt(Number(rest & 31n)) + text;
  return text;
}
