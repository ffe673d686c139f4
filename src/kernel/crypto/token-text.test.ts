import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { reveal } from '#kernel/crypto/secret.ts';
import {
  type ApiTokenKind,
  makeTokenText,
  parseTokenText,
  TOKEN_KINDS,
  TOKEN_PATTERN,
  tokenSuffix,
} from '#kernel/crypto/token-text.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KINDS = Object.keys(TOKEN_KINDS) as ApiTokenKind[];
const tokens = fc.constantFrom(...KINDS).map((kind) => ({ kind, text: reveal(makeTokenText(kind)) }));

test('TOK-08 every generated token has its kind, matches the published pattern, and is unique', () => {
  const seen = new Set<string>();
  for (let made = 0; made < 30_000; made += 1) {
    const kind = KINDS[made % KINDS.length] ?? 'api';
    const text = reveal(makeTokenText(kind));
    assert.equal(text.length, 50);
    assert.deepEqual(parseTokenText(text), { kind });
    assert.match(`export TOKEN="${text}";`, TOKEN_PATTERN);
    seen.add(text);
  }
  assert.equal(seen.size, 30_000);
});

test('TOK-08 every changed character is detected without a query', () => {
  const changes = fc.record({ position: fc.nat(49), character: fc.constantFrom(...ALPHABET, '_', '-', ' ') });
  fc.assert(
    fc.property(tokens, changes, ({ text }, { position, character }) => {
      const changed = text.slice(0, position) + character + text.slice(position + 1);
      assert.equal(parseTokenText(changed) === null, changed !== text);
    }),
    { numRuns: 20_000 },
  );
});

test('TOK-08 the checksum covers all positions of a token', () => {
  const text = reveal(makeTokenText('api'));
  for (let position = 0; position < text.length; position += 1) {
    for (const character of ALPHABET) {
      const changed = text.slice(0, position) + character + text.slice(position + 1);
      if (changed !== text) assert.equal(parseTokenText(changed), null);
    }
  }
});

test('TOK-08 changing the prefix does not make a token of another kind', () => {
  for (const from of KINDS) {
    const text = reveal(makeTokenText(from));
    for (const to of KINDS.filter((kind) => kind !== from)) {
      assert.equal(parseTokenText(TOKEN_KINDS[to] + text.slice(3)), null);
    }
  }
});

test('TOK-08 text around, inside or instead of a token is refused', () => {
  const text = reveal(makeTokenText('cli'));
  for (const wrong of [
    ` ${text}`,
    `${text}\n`,
    `${text}0`,
    text.slice(0, -1),
    text.toUpperCase(),
    '',
    'pcl_',
    'x.y.z',
  ]) {
    assert.equal(parseTokenText(wrong), null);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (garbage) => parseTokenText(garbage) === null));
});

test('TOK-08 a correct checksum does not make an invalid format valid', () => {
  const digitsOf = (value: number, length: number): string =>
    length === 0 ? '' : digitsOf(Math.floor(value / 62), length - 1) + ALPHABET.charAt(value % 62);
  const complete = (start: string) => start + digitsOf(crc32(start), 6);
  assert.deepEqual(parseTokenText(complete(`pap_${'a'.repeat(40)}`)), { kind: 'api' });
  for (const start of [
    `pap_${'a'.repeat(39)}`,
    `pap_${'a'.repeat(41)}`,
    `pap_${'-'.repeat(40)}`,
    `pat_${'a'.repeat(40)}`,
  ]) {
    assert.equal(parseTokenText(complete(start)), null);
  }
});

test('TOK-08 random characters are distributed evenly over all 62', () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 5_000; made += 1) {
    for (const character of reveal(makeTokenText('api')).slice(4, 44)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (5_000 * 40) / 62;
  const chiSquare = [...ALPHABET].reduce((sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 160, `chi-square ${chiSquare} of 61 degrees of freedom`);
});

test('TOK-09 only the last four characters are stored for display', () => {
  const token = makeTokenText('service');
  assert.equal(tokenSuffix(token), reveal(token).slice(-4));
  assert.equal(tokenSuffix(reveal(token)), reveal(token).slice(-4));
});
