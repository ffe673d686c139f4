import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { reveal, Secret } from '#kernel/crypto/secret.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** The prefix of each kind of token. */
export const TOKEN_KINDS = { api: 'pap', cli: 'pcl', service: 'psv' } as const;

export type ApiTokenKind = keyof typeof TOKEN_KINDS;

/** Published for secret scanners, hence without look-around; the last six characters are a CRC-32 of all before. */
export const TOKEN_PATTERN = /\b(?:pap|pcl|psv)_[0-9A-Za-z]{46}\b/;

const WHOLE_TOKEN = /^(?:pap|pcl|psv)_[0-9A-Za-z]{46}$/;

/** Makes a new token; only its keyed hash may be stored. */
export function makeTokenText(kind: ApiTokenKind): Secret {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  const start = `${TOKEN_KINDS[kind]}_${random}`;
  return new Secret(start + checksumOf(start));
}

/** Tells the kind of a well-formed token from its text alone, so that guesses never cost a query. */
export function parseTokenText(text: string): { kind: ApiTokenKind } | null {
  const kind = (Object.keys(TOKEN_KINDS) as ApiTokenKind[]).find((name) => text.startsWith(`${TOKEN_KINDS[name]}_`));
  if (!kind || !WHOLE_TOKEN.test(text)) return null;
  const start = text.slice(0, -CHECKSUM_LENGTH);
  // The checksum is no secret: it follows from the text that it stands in.
  return checksumOf(start) === text.slice(-CHECKSUM_LENGTH) ? { kind } : null;
}

/** The last four characters, kept so that people can tell their tokens apart. */
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
