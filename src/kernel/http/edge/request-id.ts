import { freshBytes } from '#kernel/crypto/random.ts';

const WELL_FORMED = /^[A-Za-z0-9_-]{8,64}$/;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/** The id under which a request is logged: that of the caller if it is well formed, otherwise a new ULID. */
export function requestIdOf(header: string | undefined, clock: () => number = Date.now): string {
  return header !== undefined && WELL_FORMED.test(header) ? header : ulid(clock());
}

function ulid(nowMs: number): string {
  let text = '';
  for (let rest = nowMs; text.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    text = CROCKFORD.charAt(rest % 32) + text;
  for (const byte of freshBytes(RANDOM_CHARACTERS)) text += CROCKFORD.charAt(byte % 32);
  return text;
}
