import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { reveal, Secret } from '#kernel/crypto/secret.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** The prefix of each kind of token. */
export const TOKEN_KINDS = { api: 'pap', cli: 'pcl', service: 'psv' } as const;

export type ApiTokenKind = keyof typeof TOKEN_KINDS;

/** Published for secret scanners, so without look-around; the last six characters are the CRC-32 of the others. */
export const TOKEN_PATTERN = /\b(?:pap|pcl|psv)_[0-9A-Za-z]{46}\b/;

const WHOLE_TOKEN = /^(?:pap|pcl|psv)_[0-9A-Za-z]{46}$/;

/** Generates a token; only its keyed hash may be stored. */
export function makeTokenText(kind: ApiTokenKind): Secret {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  const start = `${TOKEN_KINDS[kind]}_${random}`;
  return new Secret(start + checksumOf(start));
}

/** The kind of a well-formed token, from its text alone, so that a guess never costs a query. */
export function parseTokenText(text: string): { kind: ApiTokenKind } | null {
  const kind = (Object.keys(TOKEN_KINDS) as ApiTokenKind[]).find((name) => text.startsWith(`${TOKEN_KINDS[name]}_`));
  if (!kind || !WHOLE_TOKEN.test(text)) return null;
  const start = text.slice(0, -CHECKSUM_LENGTH);
  // The checksum is not secret, so the comparison need not take constant time.
  return checksumOf(start) === text.slice(-CHECKSUM_LENGTH) ? { kind } : null;
}

/** The last four characters, stored so that people can tell their tokens apart. */
export function tokenSuffix(text: string | Secret): string {
  return (typeof text === 'string' ? text : reveal(text)).slice(-4);
}

function checksumOf(start: string): string {
  let rest = crc32(start);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
