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

/** Texts that are the stored one, or nearly. */
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
  test('sends a stored secret to the stored client and addresses, or nowhere (SRF-01)', () => {
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

  test('never uses the stored secret when one is given (SRF-01)', () => {
    fc.assert(
      fc.property(wish, fc.string({ minLength: 1 }), (one, clientSecret) => {
        const plan = planCheck({ ...one, clientSecret }, stored);
        assert.ok(plan.kind === 'check' && !plan.isStored);
      }),
    );
  });

  test('refuses an id that is not known, with a secret and without', () => {
    for (const clientSecret of [undefined, '', 'given'])
      assert.deepEqual(planCheck({ ...stored, id: '6', clientSecret }, undefined), {
        kind: 'refuse',
        error: 'unknown_credential',
      });
  });

  test('without id and secret asks for the secret, and names what else is missing', () => {
    assert.deepEqual(planCheck(stored, undefined), { kind: 'refuse', error: 'secret_required' });
    const { apiUrl: _, ...rest } = stored;
    const incomplete = planCheck({ ...rest, clientSecret: 'given' }, undefined);
    assert.deepEqual(incomplete, { kind: 'incomplete', member: 'apiUrl' });
  });
});

describe('what comes back', () => {
  test('becomes a usable token or a fixed text, whatever it is (SRF-07, SRF-08)', () => {
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

  test('is a token only when its type is bearer and it fits into a header', () => {
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

  test('every way of failing has one of the fixed texts', () => {
    for (const reason of ['denied_address', 'bad_url', 'unreachable', 'timeout', 'tls', 'redirect', 'too_large', 'new'])
      assert.ok(known.includes(errorOfFailure(reason)));
    assert.ok(PARTNER_CHECK_ERRORS.length <= 8);
  });
});
