import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type CredentialRecipient,
  errorOfApiStatus,
  errorOfFailure,
  PARTNER_CHECK_ERRORS,
  planCheck,
  readTokenReply,
} from './rules.ts';

const stored: CredentialRecipient = {
  clientId: 'parapet',
  tokenUrl: 'https://auth.vendor.example/token',
  apiUrl: 'https://api.vendor.example/graphql',
};
const known: readonly string[] = PARTNER_CHECK_ERRORS;

/** Texts that equal the stored one, or differ slightly. */
const near = (text: string) =>
  fc.oneof(
    fc.constant(text),
    fc.constant(''),
    fc.constantFrom(
      ...[text.toUpperCase(), `${text}/`, `${text} `, `${text}?`, `${text}#`, text.replace('.example', '.example.')],
      ...[text.replace('https', 'http'), text.replace('://', '://user@'), text.replace('.example', '.example:443')],
    ),
    fc.webUrl(),
    fc.string(),
  );
const wish = fc.record(
  {
    id: fc.constant('5'),
    clientId: near(stored.clientId),
    tokenUrl: near(stored.tokenUrl),
    apiUrl: near(stored.apiUrl),
  },
  { requiredKeys: ['id'] },
);

describe('the plan of a check', () => {
  test('uses a stored secret only for the stored client and URLs (SRF-01)', () => {
    fc.assert(
      fc.property(wish, (one) => {
        const plan = planCheck(one, stored);
        const isSame = (['clientId', 'tokenUrl', 'apiUrl'] as const).every(
          (member) => one[member] === undefined || one[member] === '' || one[member] === stored[member],
        );
        assert.deepEqual(
          plan,
          isSame ? { kind: 'check', recipient: stored, isStored: true } : { kind: 'refuse', error: 'secret_required' },
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('never uses the stored secret if one is given (SRF-01)', () => {
    fc.assert(
      fc.property(wish, fc.string({ minLength: 1 }), (one, clientSecret) => {
        const plan = planCheck({ ...one, clientSecret }, stored);
        assert.ok(plan.kind === 'check' && !plan.isStored);
      }),
    );
  });

  test('refuses an unknown id, with and without a secret', () => {
    for (const clientSecret of [undefined, '', 'given'])
      assert.deepEqual(planCheck({ ...stored, id: '6', clientSecret }, undefined), {
        kind: 'refuse',
        error: 'unknown_credential',
      });
  });

  test('requires the secret without an id, and names missing members', () => {
    assert.deepEqual(planCheck(stored, undefined), { kind: 'refuse', error: 'secret_required' });
    const { apiUrl: _, ...rest } = stored;
    const incomplete = planCheck({ ...rest, clientSecret: 'given' }, undefined);
    assert.deepEqual(incomplete, { kind: 'incomplete', member: 'apiUrl' });
  });
});

describe('the reply of the vendor', () => {
  test('becomes a usable token or a fixed error for any content (SRF-07, SRF-08)', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constantFrom('', 'null', '[]', '{', '"x"'));
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), anything, (status, body) => {
        const read = readTokenReply(status, body);
        if ('error' in read) assert.ok(known.includes(read.error));
        else assert.match(read.token, /^[!-~]+$/);
        assert.ok(known.includes(errorOfApiStatus(status) ?? 'invalid_client'));
      }),
      { numRuns: 2000 },
    );
  });

  test('is a token only if its type is bearer and it is valid in a header', () => {
    const reply = (value: object) => readTokenReply(200, JSON.stringify(value));
    assert.deepEqual(reply({ access_token: 'abc', token_type: 'bearer' }), { token: 'abc' });
    for (const value of [
      { access_token: 'abc' },
      { access_token: 'abc', token_type: 'mac' },
      { access_token: 'a\r\nx-evil: 1', token_type: 'Bearer' },
      { access_token: 'x'.repeat(20_000), token_type: 'Bearer' },
      { access_token: ['abc'], token_type: 'Bearer' },
    ])
      assert.deepEqual(reply(value), { error: 'bad_response' });
  });

  test('every failure has one of the fixed errors', () => {
    for (const reason of ['denied_address', 'bad_url', 'unreachable', 'timeout', 'tls', 'redirect', 'too_large', 'new'])
      assert.ok(known.includes(errorOfFailure(reason)));
    assert.ok(PARTNER_CHECK_ERRORS.length <= 8);
  });
});
